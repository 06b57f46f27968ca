"""The frame of a script that watches the ranks of a job and judges what it has seen."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from rrfp_bench.command import BINARY, Command
from rrfp_bench.processes import ProcessFailed


def main(description: str, judge: Callable[[Command], bool]) -> int:
    """`judge` watches, prints what it has seen, and says whether it is within its targets.

    Returns the exit code: 0 when it is, 1 when it is not or the job fails, 2 for bad input.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--rrfp", type=Path, default=BINARY, metavar="FILE", help="the command")
    arguments = parser.parse_args()
    if not arguments.rrfp.exists():
        print(f"error: {arguments.rrfp} does not exist; build it or give --rrfp", file=sys.stderr)
        return 2
    try:
        return 0 if judge(Command(arguments.rrfp.resolve())) else 1
    except ProcessFailed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
