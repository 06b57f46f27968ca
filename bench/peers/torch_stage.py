"""A pipeline stage for PyTorch whose forward and backward sleep for given times.

It computes nothing and copies nothing, so that what is measured is the pipeline alone.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from peers.timing import sleep_for
from rrfp_bench.durations import Durations


class _Timed(torch.autograd.Function):
    """Passes a fresh tensor on; its backward runs `work`, then passes a fresh gradient on.

    Fresh tensors, because PyTorch copies a gradient that somebody else holds, and refuses to detach
    an output that is a view. `root` gives the graph of stage 0, whose input needs no gradient, a
    beginning.
    """

    @staticmethod
    def forward(ctx, tensor, root, work):
        ctx.work = work
        return torch.empty_like(tensor)

    @staticmethod
    def backward(ctx, gradient):
        ctx.work()
        wanted = ctx.needs_input_grad[0]
        return (torch.empty_like(gradient) if wanted else None), None, None


class _Loss(torch.autograd.Function):
    """A loss that reads nothing and gives its input a gradient of the right shape."""

    @staticmethod
    def forward(ctx, tensor):
        ctx.like = tensor.detach()
        return torch.zeros(())

    @staticmethod
    def backward(ctx, gradient):
        return torch.empty_like(ctx.like)


def loss(output: torch.Tensor, _target: torch.Tensor) -> torch.Tensor:
    """The loss function for the schedules."""
    return _Loss.apply(output)


class SleepingStage(torch.nn.Module):
    """Sleeps for the durations of one stage, microbatch by microbatch.

    Every schedule of PyTorch runs the forwards of a stage in order of microbatches, so a counter
    tells which one it is; the backward of a microbatch remembers its own time from its forward.
    """

    def __init__(self, stage: int) -> None:
        super().__init__()
        self._stage = stage
        self._forwarded = 0
        self._last_backward = 0
        self._seconds: dict[str, list[float]] = {}
        self.weight = torch.nn.Parameter(torch.zeros(1))

    def begin_iteration(self, durations: Durations) -> None:
        """Takes the durations of the iteration that comes next."""
        self._forwarded = 0
        self._seconds = {
            kind: (array[self._stage] * 1e-3).tolist()
            for kind, array in durations.milliseconds.items()
        }

    def forward(self, tensor: torch.Tensor) -> torch.Tensor:
        microbatch = self._forwarded
        self._forwarded += 1
        sleep_for(self._seconds["F"][microbatch])
        root = self.weight if self._stage == 0 else None
        return _Timed.apply(tensor, root, lambda: self._backward(microbatch))

    def _backward(self, microbatch: int) -> None:
        self._last_backward = microbatch
        sleep_for(self._seconds["B"][microbatch])

    def weight_gradient(self) -> Callable[[], None]:
        """The weight gradient that belongs to the last backward, to be run later.

        PyTorch's interface for modules that split their backward themselves (`dw_builder`).
        """
        seconds = self._seconds["W"][self._last_backward]
        return lambda: sleep_for(seconds)
