#!/usr/bin/env python3
"""Whether a rank's memory grows with the number of microbatches, of iterations or of messages.

Exits with 0 when no rank grows by 4 MB or more, 1 when one does or the job fails, 2 for bad input.
"""

from __future__ import annotations

import sys

from rrfp_bench import watched
from rrfp_bench.command import JOBS, Command
from rrfp_bench.watch import Samples, span, watch

JOB = JOBS / "memory.toml"
RANKS = 2
LIMIT_KIB = 4 * 1024
EVERY_S = 0.02
# The start (StarPU allocates) and the end (the report is made) say nothing about growth.
BEGIN, END = 0.3, 0.95


def _high_kib(samples: Samples, begin: float, end: float) -> dict[int, int]:
    """Most resident memory that each rank showed in this part of the run."""
    return {
        rank: max(each.resident_kib for each in span(taken, begin, end))
        for rank, taken in samples.items()
    }


def _grown(title: str, before: dict[int, int], after: dict[int, int]) -> bool:
    """Prints the growth of every rank; whether any reached the limit."""
    failed = False
    for rank in sorted(before):
        growth = after[rank] - before[rank]
        failed |= growth >= LIMIT_KIB
        verdict = "FAIL" if growth >= LIMIT_KIB else "pass"
        print(
            f"{title}, rank {rank}: {before[rank] / 1024:.1f} → {after[rank] / 1024:.1f} MiB "
            f"({growth / 1024:+.2f}, target < {LIMIT_KIB // 1024}) {verdict}"
        )
    return failed


def _with_microbatches(command: Command) -> bool:
    """M 16 against M 1024 at limit 8: as many tasks in all."""
    high = []
    for microbatches, iterations in ((16, 640), (1024, 10)):
        settings = {"train.microbatches": microbatches, "train.iterations": iterations}
        samples = watch(command, JOB, settings, ranks=RANKS, every_s=EVERY_S)
        high.append(_high_kib(samples, BEGIN, END))
    return _grown("M 16 → M 1024", *high)


def _with_iterations(command: Command) -> bool:
    """200 iterations of 250 microbatches: 2 messages each, 10⁵ in all over the one link."""
    settings = {
        "train.microbatches": 250,
        "train.iterations": 200,
        "model.forward_ms": 0.01,
        "model.backward_ms": 0.01,
        "model.message_bytes": 2048,
    }
    samples = watch(command, JOB, settings, ranks=RANKS, every_s=EVERY_S)
    early, late = _high_kib(samples, 0.1, BEGIN), _high_kib(samples, 0.7, END)
    return _grown("200 iterations, 100000 messages", early, late)


def _bounded(command: Command) -> bool:
    grown = [_with_microbatches(command), _with_iterations(command)]
    return not any(grown)


if __name__ == "__main__":
    sys.exit(watched.main(__doc__, _bounded))
