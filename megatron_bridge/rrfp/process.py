"""This process as a rank of the job: from MPI's start to the orderly or forced end of all ranks."""

import atexit
import multiprocessing
import os
import socket
import sys
import time
import typing

from rrfp import _native
from rrfp.configuration import Configuration, ConfigurationError

_COURTESY = 3.0  # seconds in which the rank where a failure began may speak first


class LaunchError(RuntimeError):
    """The process was not started in a way that MPI can work with."""


class Process:
    """MPI and StarPU of this process; one a process, made by `join`."""

    def __init__(self, configuration: Configuration):
        _check_launch()
        self.runtime = _native.Runtime(
            waiting=configuration.waiting,
            watchdog_seconds=float(configuration.watchdog_seconds),
            trace_folder=configuration.trace,
        )
        self.rank, self.ranks = self.runtime.rank, self.runtime.ranks
        # Of all schedules in this process: messages are told apart by it.
        self.iterations = 0
        # Of training alone, for messages.
        self.training_iterations = 0
        self.last_iteration: _native.Iteration | None = None
        self._failure: BaseException | None = None
        self._failed_elsewhere = False
        self._before_closing: list[typing.Callable[[], None]] = []
        self._set_environment()
        self._previous_hook = sys.excepthook
        sys.excepthook = self._uncaught
        atexit.register(self._leave)

    def before_closing(self, action: typing.Callable[[], None]) -> None:
        """Has `action` done ahead of the orderly end."""
        self._before_closing.append(action)

    def failed(self, error: BaseException) -> None:
        """Notes that an iteration cannot end: this process then ends the job when it exits."""
        self._failure = error
        if isinstance(error, _native.RankFailure):
            self._failed_elsewhere = error.rank != self.rank

    def end_job(self, error: BaseException) -> None:
        """Ends all ranks; the one where the error began is given time to do so first."""
        sys.stdout.flush()
        sys.stderr.flush()
        if self._failed_elsewhere:
            time.sleep(_COURTESY)
        first = (str(error).splitlines() or [""])[0]
        self.runtime.abort(
            _exit_code(error), f"rrfp: rank {self.rank} ends the job: {type(error).__name__}: {first}"
        )

    def _uncaught(self, kind, error, traceback):
        # The job is ended at exit, not here: torch.distributed puts a hook around this one that
        # prints what was written only when this one has returned.
        self._failure = self._failure or error
        if isinstance(error, ConfigurationError):
            # Nearly always the same on all ranks: the first one tells, in the sentence that ends the job.
            self._failed_elsewhere = self.rank != 0
        else:
            self._previous_hook(kind, error, traceback)

    def _leave(self):
        if self._failure is not None:
            self.end_job(self._failure)
        sys.stdout.flush()
        for action in self._before_closing:
            action()
        self.runtime.close()

    def _set_environment(self) -> None:
        """What torch.distributed's `env://` reads, from MPI's world."""
        for name, value in (("RANK", self.rank), ("WORLD_SIZE", self.ranks)):
            if int(os.environ.get(name, value)) != value:
                raise LaunchError(
                    f"{name} is {os.environ[name]} in the environment, and MPI says {value}: unset it"
                )
            os.environ[name] = str(value)
        os.environ.setdefault("LOCAL_RANK", os.environ.get("OMPI_COMM_WORLD_LOCAL_RANK", "0"))
        os.environ.setdefault(
            "LOCAL_WORLD_SIZE", os.environ.get("OMPI_COMM_WORLD_LOCAL_SIZE", str(self.ranks))
        )
        meeting_point = self.runtime.broadcast(_free_address() if self.rank == 0 else "")
        address, port = meeting_point.rsplit(" ", 1)
        os.environ.setdefault("MASTER_ADDR", address)
        os.environ.setdefault("MASTER_PORT", port)


def _exit_code(error: BaseException) -> int:
    """The script's own where it has one, which whoever started it may act on."""
    if isinstance(error, SystemExit) and isinstance(error.code, int) and 0 < error.code < 256:
        return error.code
    if isinstance(error, ConfigurationError):
        return 2
    return 130 if isinstance(error, KeyboardInterrupt) else 1


_process: Process | None = None


def join(configuration: Configuration) -> Process:
    """This process's part in the job; made by the first call, collective over MPI's world."""
    global _process
    if _process is None:
        _process = Process(configuration)
    return _process


def is_worker() -> bool:
    """Whether this is a child of multiprocessing, as a data loader's workers are. By `spawn` they import the
    script, with what it calls at its top, and are no ranks of the job."""
    # While it imports the script it does not know its parent yet, but is marked as not whole.
    importing = getattr(multiprocessing.current_process(), "_inheriting", False)
    return importing or multiprocessing.parent_process() is not None


def _check_launch() -> None:
    started_by_mpi = any(name.startswith(("OMPI_", "PMIX_", "PMI_")) for name in os.environ)
    ranks = os.environ.get("WORLD_SIZE", "1")
    if not started_by_mpi and ("TORCHELASTIC_RUN_ID" in os.environ or ranks != "1"):
        raise LaunchError(
            "this process was started by torchrun or a launcher like it, which starts no MPI. Use: "
            f"mpirun -n {ranks} --bind-to none python -m rrfp.megatron SCRIPT ARGUMENTS"
        )


def _free_address() -> str:
    """Where rank 0 can be met: the loopback where all ranks are on one node."""
    environment = os.environ
    one_node = environment.get("OMPI_COMM_WORLD_LOCAL_SIZE") == environment.get("OMPI_COMM_WORLD_SIZE")
    address = "127.0.0.1" if one_node else socket.gethostbyname(socket.gethostname())
    with socket.socket() as probe:
        probe.bind((address, 0))
        return f"{address} {probe.getsockname()[1]}"
