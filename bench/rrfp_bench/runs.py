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
    workload: str = "1f1b"  # whose job file: the schedule that the ranks' stages are placed for
    microbatch_cv: float = 0.0
    comm_mean_ms: float = 0.0
    limit: str = ""  # as in a job file; empty: what the job file says
    arbiter: str = "fixed"  # empty: left to the runtime
    program: str = OURS

    def of(self, program: str) -> Run:
        """The same configuration under another program."""
        return replace(self, program=program)

    @property
    def measured(self) -> bool:
        """Whether it takes real time, and so belongs into every round."""
        return self.program in (OURS, PYTORCH)

    def __str__(self) -> str:
        words = [self.program, self.arbiter or "default", f"P {self.pipeline}", f"CV {self.compute_cv:g}"]
        words += [f"{self.message_bytes // 1024} KB"]
        words += [self.workload] if self.workload != "1f1b" else []
        words += [f"length CV {self.microbatch_cv:g}"] if self.microbatch_cv else []
        words += [f"comm {self.comm_mean_ms:g} ms"] if self.comm_mean_ms else []
        words += [f"limit {self.limit}"] if self.limit else []
        return " ".join(words)


def median_after_first(milliseconds: Sequence[float]) -> float:
    """The median over the iterations after the first, which warms up; or of the only one."""
    return statistics.median(milliseconds[1:] or milliseconds)


@dataclass(frozen=True)
class Outcome:
    """What a run measured: milliseconds of every iteration, and how to repeat it."""

    milliseconds: tuple[float, ...]
    command: str
    in_flight: int | None = None  # the most forwards in flight at any rank, where it is known

    @property
    def median_ms(self) -> float:
        return median_after_first(self.milliseconds)
