"""Where the bridge and Megatron meet: which schedule runs, and since when."""

import functools
import types
import typing

from rrfp import process
from rrfp.configuration import Configuration
from rrfp.megatron import _hook

_SCHEDULES = "megatron.core.pipeline_parallel.schedules"
_CONFIGURATION = "megatron.core.transformer.transformer_config"


class _Installation:
    """Megatron's schedules replaced in its module, until taken back."""

    def __init__(self, configuration: Configuration):
        self._bridge = _bridge(configuration)
        self._stock: dict[str, typing.Callable] = {}
        self._schedules: types.ModuleType | None = None
        self._unchecked: typing.Callable | None = None
        self._configuration: types.ModuleType | None = None
        self._forget_requests = [
            _hook.when_imported(_SCHEDULES, self._replace),
            _hook.when_imported(_CONFIGURATION, self._check_early),
        ]

    def _replace(self, schedules: types.ModuleType) -> None:
        from rrfp.megatron import _contract

        _contract.check(schedules)
        self._schedules = schedules
        for name in _contract.SCHEDULES:
            self._stock[name] = stock = getattr(schedules, name)
            setattr(schedules, name, self._replacement(name, stock))

    def _replacement(self, name: str, stock: typing.Callable) -> typing.Callable:
        @functools.wraps(stock)
        def scheduled(**call):
            return self._bridge().run(name, stock, call)

        return scheduled

    def _check_early(self, configuration: types.ModuleType) -> None:
        """What cannot run is refused when the script makes its model's config, ahead of model and data."""
        from rrfp.megatron import _refusals

        self._configuration = configuration
        self._unchecked = unchecked = configuration.TransformerConfig.__post_init__

        @functools.wraps(unchecked)
        def checked(config):
            unchecked(config)
            if config.pipeline_model_parallel_size > 1:
                _refusals.check_config(config)

        configuration.TransformerConfig.__post_init__ = checked

    def undo(self) -> None:
        for forget in self._forget_requests:
            forget()
        for name, stock in self._stock.items():
            setattr(self._schedules, name, stock)
        if self._configuration is not None:
            self._configuration.TransformerConfig.__post_init__ = self._unchecked


_installed: _Installation | None = None
_joined: process.Process | None = None


def _bridge(configuration: Configuration) -> typing.Callable:
    """Makes the Bridge when it is first asked for: it imports torch and Megatron."""
    global _joined
    if process.is_worker():
        return _no_bridge
    _joined = process.join(configuration)

    @functools.cache
    def make():
        from rrfp.megatron._bridge import Bridge

        return Bridge(_joined, configuration)

    return make


def _no_bridge():
    raise process.LaunchError(
        "a schedule is called in a process of multiprocessing, which is no rank of the job; call it in a "
        "process that mpirun started"
    )


def enable(configuration: Configuration) -> None:
    global _installed
    disable()
    _installed = _Installation(configuration)


def disable() -> None:
    global _installed
    if _installed is not None:
        _installed.undo()
        _installed = None


def forward_backward_func(configuration: Configuration) -> typing.Callable:
    bridge = _bridge(configuration)

    def scheduled(**call):
        made = bridge()
        import importlib

        from megatron.core import parallel_state

        from rrfp.megatron import _contract

        schedules = importlib.import_module(_SCHEDULES)
        _contract.check(schedules)
        name = _contract.schedule_in_force(parallel_state)
        return made.run(name, _stock_function(schedules, name), call)

    return scheduled


def _stock_function(schedules: types.ModuleType, name: str) -> typing.Callable:
    function = getattr(schedules, name)
    return getattr(function, "__wrapped__", function) if _installed is not None else function


def last_iteration():
    return None if _joined is None else _joined.last_iteration


def set_iteration(number: int) -> None:
    if process.is_worker():
        return
    if _joined is None:
        raise RuntimeError("call rrfp.megatron.enable() before set_iteration()")
    _joined.training_iterations = number
