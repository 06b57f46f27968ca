#!/usr/bin/env python3
"""What arbiters gain over fixed schedules at equal memory and above, in simulation.

Runs the program equal_memory and writes its tables. Exits with 0 when every target is met, 1 when
one is not or something failed, 2 for bad input.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import datetime, UTC
from pathlib import Path

from rrfp_bench import processes
from rrfp_bench.equal_memory import Tables, markdown, misses
from rrfp_bench.machine import ROOT, commit

PROGRAM = ROOT / "build" / "release" / "bin" / "equal_memory"
RESULTS = ROOT / "bench" / "results"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=PROGRAM, help="default: the release build's")
    parser.add_argument("--first-seed", type=int, default=10001)
    parser.add_argument("--seeds", type=int, default=60, help="how many samples a cell")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of what is written")
    arguments = parser.parse_args()
    if arguments.seeds < 1 or arguments.first_seed < 0:
        parser.error("--seeds is 1 or more, --first-seed 0 or more")
    if not arguments.program.exists():
        parser.error(f"{arguments.program} does not exist; build the release preset first")
    return arguments


def main() -> int:
    arguments = _arguments()
    command = [arguments.program, str(arguments.first_seed), str(arguments.seeds)]
    try:
        cells = json.loads(processes.run(command, timeout_s=3600))
    except processes.ProcessFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    written = {
        "schema": 1,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        **commit(),
        "seeds": {"first": arguments.first_seed, "count": arguments.seeds},
        "cells": cells,
    }
    page = markdown(written)
    arguments.results.mkdir(parents=True, exist_ok=True)
    stem = arguments.results / f"equal-memory-{written['date'][:10]}"
    stem.with_suffix(".json").write_text(json.dumps(written, indent=1) + "\n")
    stem.with_suffix(".md").write_text(page)
    print(page)
    missed = misses(Tables(cells))
    for miss in missed:
        print(f"missed: {miss}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
