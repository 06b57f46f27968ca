"""Calls of Megatron's schedules, run as StarPU tasks."""

import contextlib
import importlib
import sys
import typing

from rrfp import _native
from rrfp.configuration import Configuration
from rrfp.megatron import _call, _contract, _gradient_sync, _groups, _weight_gradients
from rrfp.megatron._call import Call
from rrfp.megatron._limits import Limits
from rrfp.megatron._memory import KeptMemory
from rrfp.megatron._random import KeyedRandom, RunningRandom
from rrfp.megatron._report import Report
from rrfp.megatron._runners import KeptRunners
from rrfp.megatron._tasks import Tasks
from rrfp.process import Process


class Bridge:
    """Runs one configuration's iterations in this process. Its calls come in the same order on all
    ranks, as Megatron's schedules do."""

    def __init__(self, process: Process, configuration: Configuration):
        self._process, self._configuration = process, configuration
        self._said: set[str] = set()
        self._members: dict[tuple, list[int]] = {}
        self._runners = KeptRunners()
        process.before_closing(self._runners.close)
        if configuration.split_weight:
            _weight_gradients.install()
        self._schedules = importlib.import_module("megatron.core.pipeline_parallel.schedules")
        self._limits = Limits(configuration, self._say)
        self._tasks: Tasks | None = None
        self._report = Report(configuration.report, process.rank)

    def run(self, name: str, stock: typing.Callable, arguments: dict) -> list:
        if name == _contract.NO_PIPELINING:
            self._say("there is one pipeline rank, so nothing to schedule: Megatron's own loop runs")
            return stock(**arguments)
        _groups.check_world(self._process.ranks)
        call = _call.read(self._schedules, name, arguments)
        if self._splits(call):
            _weight_gradients.check(call.config, call.chunks)
        with _timed(call.config), _gradient_sync.sync_functions_off(call.config, call.forward_only):
            losses, tokens = self._run_pipeline(call)
            self._finalize(call, tokens)
        return losses

    def _run_pipeline(self, call: Call):
        random = self._random(call)
        measures = self._limits.measures and not call.forward_only
        memory = KeptMemory(call.chunks) if measures else None
        limits = self._limits.of(call)
        if call.interleaved:
            _gradient_sync.gather_parameters(call.config, call.chunks)
        with _gradient_sync.GradientSync(call.config, call.chunks) as sync:
            self._tasks = tasks = Tasks(
                self._schedules,
                call,
                number=self._process.training_iterations,
                world_rank=self._process.rank,
                random=random,
                sync=sync,
                split=self._splits(call),
                memory=memory,
            )
            try:
                runner = self._runner(call, limits)
                ended = runner.run(self._process.iterations)
            except BaseException as error:
                self._process.failed(error)
                raise
            finally:
                random.restore()
                self._tasks = None
        self._process.last_iteration = ended
        self._report.add(ended, call.forward_only, runner.arbiter, runner.limits)
        if memory is not None:
            self._limits.measured(memory.most, call)
        self._process.iterations += 1
        if not call.forward_only:
            random.advance()
            self._process.training_iterations += 1
        return tasks.losses(), tasks.tokens

    def _random(self, call: Call):
        if not self._configuration.keyed_random:
            return RunningRandom()
        return KeyedRandom(call.forward_only)

    def _runner(self, call: Call, limits: list[int]) -> _native.Runner:
        ranks = tuple(_groups.world_ranks(call.groups.pp))
        key = (call.microbatches, call.forward_only, len(call.chunks), ranks, tuple(limits))
        return self._runners.get(key, lambda: self._make_runner(call, limits))

    def _make_runner(self, call: Call, limits: list[int]) -> _native.Runner:
        chosen = self._configuration
        arbiter, hint = chosen.arbiter, chosen.hint
        if call.forward_only:  # every arbiter comes to the same
            arbiter, hint = "bf", ""
        members = self._meeting(call)
        return _native.Runner(
            self._process.runtime,
            self._execute,
            rank_of_stage=call.rank_of_stage,
            world_ranks=_groups.world_ranks(call.groups.pp),
            microbatches=call.microbatches,
            split_weight=self._splits(call),
            forward_only=call.forward_only,
            arbiter=arbiter,
            hint=hint,
            plugin=chosen.plugin,
            limits=limits,
            admission="auto" if call.forward_only else chosen.admission,
            deterministic=chosen.deterministic and not call.forward_only,
            members=members if len(members) > 1 else [],
            agreement=chosen.agreement,
        )

    def _meeting(self, call: Call) -> list[int]:
        """Found once for each stage's groups, since finding them is collective."""
        key = call.groups.tp, call.groups.cp
        if key not in self._members:
            self._members[key] = _groups.meeting_ranks(call.groups, call.config)
        return self._members[key]

    def _splits(self, call: Call) -> bool:
        return self._configuration.split_weight and not call.forward_only

    def _execute(self, *task):
        return self._tasks(*task)

    def _finalize(self, call: Call, tokens) -> None:
        if call.config.finalize_model_grads_func is None or call.forward_only:
            return
        extra = {}
        if _contract.knows_force_all_reduce(self._schedules):
            extra["force_all_reduce"] = call.force_all_reduce
        call.config.finalize_model_grads_func(
            call.chunks,
            tokens if call.config.calculate_per_token_loss else None,
            pg_collection=call.groups,
            **extra,
        )

    def _say(self, text: str) -> None:
        if text not in self._said and self._process.rank == 0:
            print(f"rrfp: {text}", file=sys.stderr, flush=True)
        self._said.add(text)


@contextlib.contextmanager
def _timed(config) -> typing.Iterator[None]:
    """Megatron's own timer around a schedule."""
    if config.timers is None:
        yield
        return
    config.timers("forward-backward", log_level=1).start(barrier=config.barrier_with_L1_time)
    yield
    config.timers("forward-backward").stop()
