"""Child processes that never outlive the measurement that started them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_TIMERSLACK = 29


class ProcessFailed(RuntimeError):
    """A child process ended with an error or ran past its time; the message says which and why."""


def die_with_parent() -> None:
    """Makes the kernel kill this process when its parent ends, however it ends."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == 1:
        os._exit(1)  # the parent ended before the call


def sleep_precisely() -> None:
    """Takes away the 50 us by which the kernel may prolong this thread's sleeps."""
    ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, 1)


def end_group(process: subprocess.Popen) -> None:
    """Ends a process started in its own session, and all that it started. Idempotent.

    SIGTERM first, so that mpirun can end its ranks, which it puts in groups of their own.
    """
    for number, seconds in ((signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0)):
        if process.poll() is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)


@contextlib.contextmanager
def started(command: Sequence[str | Path], **options) -> Iterator[subprocess.Popen]:
    """Starts `command` in a session of its own and ends it when the block is left."""
    process = subprocess.Popen([str(part) for part in command], start_new_session=True, **options)
    try:
        yield process
    finally:
        end_group(process)


def tail(text: str, lines: int = 20) -> str:
    """The last lines of a child's output, for a message."""
    return "\n".join(text.strip().splitlines()[-lines:])


def run(
    command: Sequence[str | Path],
    *,
    timeout_s: float,
    environment: dict[str, str] | None = None,
    folder: Path | None = None,
) -> str:
    """Runs `command` and returns its standard output.

    Raises ProcessFailed with the command, its exit status and the end of its standard error.
    """
    shown = " ".join(str(part) for part in command)
    with started(
        command,
        env=environment,
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            output, errors = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            raise ProcessFailed(f"`{shown}` ran past {timeout_s:.0f} s") from None
    if process.returncode != 0:
        raise ProcessFailed(f"`{shown}` ended with {process.returncode}:\n{tail(errors)}")
    return output
