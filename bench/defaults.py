#!/usr/bin/env python3
"""What the defaults gain over the fixed schedule of the same shape, in simulation.

Runs the program defaults for each number of ranks and writes its table and picture. Exits with 0 when
every target is met, 1 when one is not or something failed, 2 for bad input.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, UTC
from pathlib import Path

from rrfp_bench import processes
from rrfp_bench.defaults import Tables, failures, markdown, seeds, summary
from rrfp_bench.defaults_plot import svg
from rrfp_bench.machine import ROOT, commit

PROGRAM = ROOT / "build" / "release" / "bin" / "defaults"
RESULTS = ROOT / "bench" / "results"
RANKS = (2, 3, 4, 6, 8, 12, 16)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=PROGRAM, help="default: the release build's")
    parser.add_argument("--ranks", type=int, nargs="+", default=RANKS, help="numbers of ranks")
    parser.add_argument("--samples", type=int, default=48, help="samples a cell, times its ranks")
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time")
    parser.add_argument("--cells", type=Path, help="folder in which all cells are left, and found again")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of what is written")
    arguments = parser.parse_args()
    if arguments.samples < 1 or arguments.jobs < 1 or not all(2 <= n <= 64 for n in arguments.ranks):
        parser.error("--samples and --jobs are 1 or more, --ranks from 2 to 64")
    if not arguments.program.exists():
        parser.error(f"{arguments.program} does not exist; build the release preset first")
    return arguments


def _lines(arguments: argparse.Namespace, ranks: int) -> str:
    kept = arguments.cells and arguments.cells / f"d{ranks}.jsonl"
    if kept and kept.exists():
        return kept.read_text()
    command = [arguments.program, str(ranks), str(seeds(arguments.samples, ranks))]
    lines = processes.run(command, timeout_s=7200)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(lines)
    return lines


def main() -> int:
    arguments = _arguments()
    largest_first = sorted(arguments.ranks, reverse=True)
    try:
        with ThreadPoolExecutor(arguments.jobs) as pool:
            texts = list(pool.map(lambda ranks: _lines(arguments, ranks), largest_first))
    except processes.ProcessFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    tables = Tables([json.loads(line) for text in texts for line in text.splitlines()])
    written = {
        "schema": 1,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        **commit(),
        "samples": arguments.samples,
        "ranks": sorted(arguments.ranks),
        "groups": summary(tables),
    }
    page = markdown(written, tables)
    arguments.results.mkdir(parents=True, exist_ok=True)
    stem = arguments.results / f"defaults-{written['date'][:10]}"
    stem.with_suffix(".json").write_text(json.dumps(written, indent=1) + "\n")
    stem.with_suffix(".md").write_text(page)
    stem.with_suffix(".svg").write_text(svg(tables))
    print(page)
    failed = failures(tables)
    for failure in failed:
        print(f"missed: {failure}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
