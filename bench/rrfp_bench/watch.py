"""Samples the ranks of a running job."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rrfp_bench.command import Command, Settings
from rrfp_bench.machine import ROOT
from rrfp_bench.processes import ProcessFailed, started, tail
from rrfp_bench.procfs import Sample, rank_processes, sample

Samples = dict[int, list[Sample]]  # by world rank


def _wait_for_ranks(process: subprocess.Popen, ranks: int, deadline: float) -> dict[int, int]:
    while process.poll() is None and time.monotonic() < deadline:
        found = rank_processes(process.pid)
        if len(found) == ranks:
            return found
        time.sleep(0.02)
    raise ProcessFailed(f"`rrfp run` did not show {ranks} ranks before it ended or its time was up")


def _samples(process: subprocess.Popen, ranks: int, every_s: float, deadline: float) -> Samples:
    pids = _wait_for_ranks(process, ranks, deadline)
    samples: Samples = {rank: [] for rank in pids}
    while process.poll() is None:
        if time.monotonic() > deadline:
            raise ProcessFailed("`rrfp run` ran past its time")
        for rank, pid in pids.items():
            if (now := sample(pid)) is not None:
                samples[rank].append(now)
        time.sleep(every_s)
    return samples


def watch(
    command: Command, job: Path, settings: Settings, *, ranks: int, every_s: float
) -> Samples:
    """Runs the job to its end and samples its ranks every `every_s` seconds.

    Raises ProcessFailed when the job fails or runs past the command's time.
    """
    deadline = time.monotonic() + command.timeout_s
    arguments = [*command.arguments("run", job, settings), "--quiet"]
    with tempfile.TemporaryFile("w+") as errors:
        with started(arguments, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=errors) as process:
            try:
                samples = _samples(process, ranks, every_s, deadline)
            except ProcessFailed as failure:
                errors.seek(0)
                raise ProcessFailed(f"{failure}\n{tail(errors.read())}") from None
        if process.returncode != 0:
            errors.seek(0)
            raise ProcessFailed(
                f"`rrfp run` ended with {process.returncode}:\n{tail(errors.read())}"
            )
    return samples


def span(samples: list[Sample], begin: float, end: float) -> Iterator[Sample]:
    """The samples between two fractions of the time that they cover."""
    first, last = samples[0].at_s, samples[-1].at_s
    for each in samples:
        if begin <= (each.at_s - first) / max(last - first, 1e-9) <= end:
            yield each
