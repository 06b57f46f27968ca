"""Runs the pipeline of a Megatron-Core training script readiness-first.

Three ways in: start the script with `python -m rrfp.megatron train.py`, call `enable()` in it
before training, or pass `forward_backward_func()` where the script would pass Megatron's. All are
for processes started by `mpirun`, one a rank.
"""

import typing

from rrfp import configuration as _configuration
from rrfp.megatron import _installation

__all__ = ["disable", "enable", "forward_backward_func", "last_iteration", "set_iteration"]


def enable(configuration: _configuration.Configuration | None = None, /, **keys: typing.Any) -> None:
    """Replaces Megatron's pipeline schedules, now or when the script imports them.

    `keys` are those of `rrfp.Configuration`; what they leave out comes from RRFP_… variables and
    the file that RRFP_CONFIG names. Collective over all ranks. Call it before
    torch.distributed is initialised to have RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT set.
    """
    _installation.enable(_resolve(configuration, keys))


def disable() -> None:
    """Puts Megatron's own schedules back."""
    _installation.disable()


def forward_backward_func(
    configuration: _configuration.Configuration | None = None, /, **keys: typing.Any
) -> typing.Callable:
    """What Megatron's get_forward_backward_func returns, but readiness-first.

    Megatron is left as it is: only what is called through the result runs on StarPU.
    """
    return _installation.forward_backward_func(_resolve(configuration, keys))


def last_iteration():
    """What this rank did in the last call of the schedule (rrfp.Iteration), None before one."""
    return _installation.last_iteration()


def set_iteration(number: int) -> None:
    """Sets how many training iterations have been done, for messages that name one.

    Random numbers need it not: they are keyed by the states of the generators, which checkpoints keep.
    """
    _installation.set_iteration(number)


def _resolve(configuration, keys) -> _configuration.Configuration:
    if configuration is None:
        return _configuration.load(keys)
    if keys:
        raise TypeError("give a Configuration or keys, not both")
    return configuration
