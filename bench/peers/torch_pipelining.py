"""Runs PyTorch's `torch.distributed.pipelining` with sleeping stages over gloo on loopback."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from peers.torch_job import TorchJob, failure_file, iteration_ms, result_file
from rrfp_bench import processes
from rrfp_bench.durations import Durations, read_durations

_BENCH = Path(__file__).resolve().parents[1]
_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo", "PYTHONPATH": str(_BENCH)}


def _check(job: TorchJob, iterations: Sequence[Durations]) -> None:
    first = iterations[0]
    job.check(first.stages)
    for path, durations in zip(job.durations, iterations, strict=True):
        if (durations.stages, durations.microbatches) != (first.stages, first.microbatches):
            raise ValueError(
                f"{path}: {durations.stages} stages and {durations.microbatches} microbatches; "
                f"{job.durations[0]} has {first.stages} and {first.microbatches}"
            )
        if durations.delayed_messages():
            raise ValueError(f"{path}: delays messages, which PyTorch's pipelining cannot")
        if durations.split_weight != (job.schedule == "zbv"):
            raise ValueError(
                f"{path}: rows of kind W go with a schedule that splits the backward (zbv), "
                f"not with {job.schedule}"
                if durations.split_weight
                else f"{path}: {job.schedule} splits the backward and needs rows of kind W"
            )


def _time_limit_s(iterations: Sequence[Durations]) -> float:
    """All tasks of every iteration one after the other, twice, and two minutes to start."""
    work_ms = sum(array.sum() for each in iterations for array in each.milliseconds.values())
    return 120 + 2e-3 * float(work_ms)


def _launch(job: TorchJob, python: str, timeout_s: float) -> None:
    try:
        processes.run(
            [python, "-m", "peers.torch_launcher", job.write()],
            timeout_s=timeout_s,
            environment=os.environ | _ENVIRONMENT,
        )
    except processes.ProcessFailed:
        cause = failure_file(Path(job.folder))
        if not cause.exists():
            raise
        raise processes.ProcessFailed(f"PyTorch's {job.schedule}: {cause.read_text()}") from None


def run(
    durations: Sequence[Path],
    *,
    ranks: int,
    message_bytes: int,
    schedule: str = "1f1b",
    python: str = sys.executable,
) -> list[float]:
    """Milliseconds of each iteration, the first one (warm-up) included.

    `durations` has one file an iteration. Each is timed from rank 0's start to the last rank's end
    on CLOCK_MONOTONIC. Raises ValueError for durations that do not fit and ProcessFailed when a
    rank fails or hangs; no process is left behind either way.
    """
    with tempfile.TemporaryDirectory(prefix="rrfp-peer-") as folder:
        files = tuple(str(Path(path).resolve()) for path in durations)
        job = TorchJob(schedule, ranks, message_bytes, files, folder)
        iterations = [read_durations(Path(path)) for path in files]
        _check(job, iterations)
        _launch(job, python, _time_limit_s(iterations))
        return iteration_ms(
            [json.loads(result_file(Path(folder), rank).read_text()) for rank in range(ranks)]
        )
