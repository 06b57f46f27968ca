"""One run: a program under one configuration; and what a run measured."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

OURS = "rrfp"
SIMULATION = "simulation"  # `rrfp simulate`: the same draws without any overhead
PYTORCH = "pytorch"
ANALYTIC = "analytic"  # (M + P - 1) (F + B)


@dataclass(frozen=True, order=True)
class Run:
    """A program under one configuration. Its order puts runs that are compared side by side."""

    pipeline: int
    compute_cv: float = 0.0
    message_bytes: int = 2048
    arbiter: str = "fixed"
    program: str = OURS

    def of(self, program: str) -> Run:
        """The same configuration under another program."""
        return replace(self, program=program)

    @property
    def measured(self) -> bool:
        """Whether it takes real time, and so belongs into every round."""
        return self.program in (OURS, PYTORCH)

    def __str__(self) -> str:
        size = f"{self.message_bytes // 1024} KB"
        return f"{self.program} {self.arbiter} P {self.pipeline} CV {self.compute_cv:g} {size}"


def median_after_first(milliseconds: Sequence[float]) -> float:
    """The median over the iterations after the first, which warms up; or of the only one."""
    return statistics.median(milliseconds[1:] or milliseconds)


@dataclass(frozen=True)
class Outcome:
    """What a run measured: milliseconds of every iteration, and how to repeat it."""

    milliseconds: tuple[float, ...]
    command: str

    @property
    def median_ms(self) -> float:
        return median_after_first(self.milliseconds)
