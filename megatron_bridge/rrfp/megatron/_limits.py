"""The limit of each pipeline rank, measured where it is not given as a number."""

import typing

import torch

from rrfp import _native
from rrfp.configuration import Configuration, ConfigurationError
from rrfp.megatron import _free
from rrfp.megatron._call import Call

# Where memory allows more than a fixed schedule keeps: from here on more in flight gains next to nothing.
ENOUGH = 32


class Limits:
    """How many microbatches may be in flight at each pipeline rank.

    For a limit in bytes, and for "auto", the first training iteration runs at what the fixed schedule of the
    same shape keeps and measures the most that a forward leaves for its backward. From then on as many are
    let in flight as fit: into the bytes, or, for "auto", into what was free when the second training
    iteration began (the optimizer has its state by then), up to 32 and never fewer than the fixed schedule
    keeps. What is collective comes in one order on all ranks.
    """

    def __init__(self, configuration: Configuration, tell: typing.Callable[[str], None]):
        self._configuration = configuration
        self._auto, self._bytes = configuration.limit == "auto", configuration.limit_bytes
        self._tell = tell
        self._kept: list[int] | None = None  # bytes that a microbatch keeps, by pipeline rank
        self._fitting: list[int] | None = None  # microbatches
        # What the fixed schedule keeps, by shape: its order is made for that, of every task.
        self._owns: dict[tuple, list[int]] = {}

    def of(self, call: Call) -> list[int]:
        """Empty for the runtime's own default. Collective at the second training iteration of "auto"."""
        if self._auto and call.forward_only:
            return []
        if not self._auto and self._bytes is None:
            return self._configuration.limits(call.ranks)
        own = self._own(call)
        if self._kept is None:
            return own
        if self._fitting is None:
            self._fitting = self._fit(call)
            if self._auto:
                self._say(call, own)
        if self._bytes is not None:
            return self._fitting
        return [_between(least, fits) for least, fits in zip(own, self._fitting)]

    @property
    def measures(self) -> bool:
        """Whether a training iteration now measures what forwards keep."""
        return (self._auto or self._bytes is not None) and self._kept is None

    def measured(self, kept: int, call: Call) -> None:
        """Takes what a microbatch keeps on this pipeline rank. Collective. ConfigurationError where not one
        microbatch fits into a limit in bytes."""
        self._kept = _over_ranks(call, kept, torch.distributed.ReduceOp.MAX)
        for place, each in enumerate(self._kept):
            if self._bytes is not None and self._bytes < each:
                raise ConfigurationError(
                    f"limit = {self._configuration.limit!r} does not hold one microbatch of pipeline "
                    f"rank {place}, which was seen to keep {each} bytes; give {each} B or more, lower "
                    "the micro-batch size, or recompute activations"
                )

    def _own(self, call: Call) -> list[int]:
        shape = call.ranks, call.stages, call.microbatches
        if shape not in self._owns:
            self._owns[shape] = _native.fixed_limits(
                rank_of_stage=call.rank_of_stage,
                ranks=call.ranks,
                microbatches=call.microbatches,
                split_weight=self._configuration.split_weight,
            )
        return self._owns[shape]

    def _fit(self, call: Call) -> list[int]:
        if self._bytes is not None:
            return [_native.limit_in_bytes(self._bytes, each) for each in self._kept]
        fits = _native.limit_in_bytes(_free.usable_bytes(call.device), max(1, self._kept[call.rank]))
        return _over_ranks(call, fits, torch.distributed.ReduceOp.MIN)

    def _say(self, call: Call, own: list[int]) -> None:
        limits = [_between(least, fits) for least, fits in zip(own, self._fitting)]
        kept = ", ".join(f"{each / 2**20:.1f}" for each in self._kept)
        self._tell(
            f"limit auto: a microbatch keeps {kept} MiB on pipeline ranks 0 to {call.ranks - 1}; in flight are "
            f"at most {limits}, where the fixed schedule has {own} (a tenth of what is free is left; another "
            "limit: the key limit)"
        )


def _between(least: int, fits: int) -> int:
    return max(least, min(fits, ENOUGH))


def _over_ranks(call: Call, mine: int, reduce) -> list[int]:
    """One number a pipeline rank, the same on all ranks of the job."""
    neutral = 0 if reduce == torch.distributed.ReduceOp.MAX else torch.iinfo(torch.int64).max
    values = torch.full((call.ranks,), neutral, dtype=torch.int64, device=call.device)
    values[call.rank] = mine
    torch.distributed.all_reduce(values, op=reduce)
    return values.tolist()
