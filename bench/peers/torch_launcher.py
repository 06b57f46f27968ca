"""Imports PyTorch once, forks the ranks of one run from there, and waits for them.

Started by torch_pipelining as `python -m peers.torch_launcher JOB`. Importing PyTorch takes seconds
of a core; eight ranks on two cores would spend more on that than on the measurement.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import sys
import traceback
from pathlib import Path

from peers.torch_job import TorchJob, failure_file, result_file
from peers.torch_rank import run_rank
from rrfp_bench.durations import Durations, read_durations
from rrfp_bench.processes import die_with_parent, sleep_precisely


def _child(job: TorchJob, rank: int, iterations: list[Durations]) -> int:
    """A rank's life; returns its exit status."""
    try:
        die_with_parent()
        sleep_precisely()
        times = run_rank(job, rank, iterations)
        result_file(Path(job.folder), rank).write_text(json.dumps(times))
    except BaseException:
        # The first failure is kept; what fails on other ranks later is its echo.
        with (
            contextlib.suppress(FileExistsError),
            failure_file(Path(job.folder)).open("x") as stream,
        ):
            stream.write(f"rank {rank}: {traceback.format_exc()}")
        return 1
    return 0


def main() -> int:
    die_with_parent()
    job = TorchJob.read(Path(sys.argv[1]))
    iterations = [read_durations(Path(path)) for path in job.durations]
    gc.freeze()  # what was imported is shared by the ranks and is no garbage
    ranks = {}
    for rank in range(job.ranks):
        pid = os.fork()
        if pid == 0:
            os._exit(_child(job, rank, iterations))
        ranks[pid] = rank
    for _ in range(job.ranks):
        pid, status = os.wait()
        if status != 0:
            code = os.waitstatus_to_exitcode(status)
            print(f"rank {ranks[pid]} ended with {code}", file=sys.stderr)
            return 1  # the other ranks die with this process
    return 0


if __name__ == "__main__":
    sys.exit(main())
