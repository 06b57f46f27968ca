"""Memory and processor time of a running job's ranks, from /proc."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

RANK_COMMAND = "rrfp"
LAUNCHER = "mpirun"


@dataclass(frozen=True)
class Sample:
    """What one rank had used at one moment."""

    at_s: float  # CLOCK_MONOTONIC
    resident_kib: int
    processor_s: float  # of all threads that live now


def _parents() -> dict[int, int]:
    """Parent of every process that exists now."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            stat = (folder / "stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        # The command's name stands in parentheses and may hold blanks.
        parents[int(folder.name)] = int(stat.rpartition(")")[2].split()[1])
    return parents


def _command(pid: int) -> str:
    return (Path("/proc") / str(pid) / "comm").read_text().strip()


def _world_rank(pid: int) -> int | None:
    for entry in (Path("/proc") / str(pid) / "environ").read_bytes().split(b"\0"):
        key, _, value = entry.partition(b"=")
        if key == b"OMPI_COMM_WORLD_RANK":
            return int(value)
    return None


def rank_processes(root: int) -> dict[int, int]:
    """World rank to process id of the ranks that the command `root` has started.

    They are children of mpirun, which is `root` itself or below it.
    """
    parents = _parents()
    ranks = {}
    for pid, parent in parents.items():
        ancestor = pid
        while ancestor not in (root, 0):
            ancestor = parents.get(ancestor, 0)
        if ancestor != root or pid == root:
            continue
        try:
            if _command(pid) == RANK_COMMAND and _command(parent) == LAUNCHER:
                rank = _world_rank(pid)
                if rank is not None:
                    ranks[rank] = pid
        except (FileNotFoundError, ProcessLookupError):
            continue
    return ranks


def sample(pid: int) -> Sample | None:
    """What process `pid` uses now; None once it has ended."""
    folder = Path("/proc") / str(pid)
    try:
        status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        # schedstat counts nanoseconds; the ticks in stat miss what runs shortly between two ticks.
        nanoseconds = sum(
            int((task / "schedstat").read_text().split()[0]) for task in (folder / "task").iterdir()
        )
    except (FileNotFoundError, ProcessLookupError):
        return None
    if "VmRSS" not in status:  # a zombie
        return None
    return Sample(time.monotonic(), int(status["VmRSS"].split()[0]), nanoseconds * 1e-9)
