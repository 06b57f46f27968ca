#!/usr/bin/env python3
"""How much processor time a rank uses in ten seconds of waiting.

Stage 0 sleeps, rank 1 waits for its activation. Exits with 0 when no rank uses 0.2 s or more, 1
when one does or the job fails, 2 for bad input.
"""

from __future__ import annotations

import sys

from rrfp_bench import watched
from rrfp_bench.command import JOBS, Command
from rrfp_bench.procfs import Sample
from rrfp_bench.watch import watch

SETTLE_S = 4.0  # start-up is over by then
WINDOW_S = 10.0
LIMIT_S = 0.2


def used_s(samples: list[Sample]) -> float:
    """Processor seconds between SETTLE_S and SETTLE_S + WINDOW_S after the first sample."""
    begin = next(each for each in samples if each.at_s - samples[0].at_s >= SETTLE_S)
    end = next(each for each in samples if each.at_s - begin.at_s >= WINDOW_S)
    return end.processor_s - begin.processor_s


def _idle(command: Command) -> bool:
    samples = watch(command, JOBS / "idle.toml", {}, ranks=2, every_s=0.5)
    passed = True
    for rank, what in ((0, "its task sleeps"), (1, "waits for a message")):
        used = used_s(samples[rank])
        passed &= used < LIMIT_S
        print(
            f"rank {rank} ({what}): {used:.3f} s of {WINDOW_S:.0f} s, target < {LIMIT_S} "
            f"{'pass' if used < LIMIT_S else 'FAIL'}"
        )
    return passed


if __name__ == "__main__":
    sys.exit(watched.main(__doc__, _idle))
