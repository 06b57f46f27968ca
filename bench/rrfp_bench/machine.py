"""Which machine, which source: what stands beside every figure."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def machine() -> dict[str, object]:
    """Processor, cores, memory and kernel."""
    return {
        "name": platform.node(),
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "kernel": platform.release(),
        "python": platform.python_version(),
    }


def machine_slug(facts: dict[str, object]) -> str:
    """A file-name part that says which machine: `host-2-cores`."""
    name = re.sub(r"[^a-z0-9]+", "-", str(facts["name"]).lower()).strip("-")
    return f"{name}-{facts['cores']}-cores"


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()


def commit() -> dict[str, object]:
    """The commit measured, and whether tracked files differ from it."""
    return {
        "commit": _git("rev-parse", "HEAD"),
        "modified": bool(_git("status", "--porcelain", "--untracked-files=no")),
    }


def load_average() -> list[float]:
    """Runnable threads, averaged over 1, 5 and 15 minutes."""
    return [round(value, 2) for value in os.getloadavg()]
