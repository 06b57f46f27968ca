#!/usr/bin/env python3
"""What the runtime itself adds to a task: runs the program task_overhead on two ranks.

Exits with 0 when it ran, 1 when it failed, 2 for bad input. There is no target: the figures say how
long a task must last for the runtime not to matter.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rrfp_bench import processes
from rrfp_bench.machine import ROOT, commit, load_average, machine

PROGRAM = ROOT / "build" / "release" / "bin" / "task_overhead"
ROWS = (
    ("submit_to_start", "call of run to the first task's start"),
    ("end_to_start_same_rank", "a task's end to its successor's start, same rank"),
    ("end_to_start_across_ranks", "the same, successor on the other rank"),
)


def _launch(program: Path) -> dict:
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    output = processes.run(
        ["mpirun", *as_root, "--bind-to", "none", "--oversubscribe", "-n", "2", program],
        timeout_s=120,
    )
    return json.loads(output)


def _table(measured: dict) -> Table:
    table = Table(title="Microseconds, median (95th percentile)")
    table.add_column("")
    for each in measured["latencies"]:
        table.add_column(f"{each['message_bytes']} bytes", justify="right")
    for key, name in ROWS:
        cells = (each[key] for each in measured["latencies"])
        table.add_row(name, *(f"{cell['median_us']:.0f} ({cell['p95_us']:.0f})" for cell in cells))
    every = measured["time_per_task"]
    table.add_row(
        "a task, when others are ready", f"{every['median_us']:.0f} ({every['p95_us']:.0f})", ""
    )
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=PROGRAM, metavar="FILE")
    parser.add_argument("--json", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    if not arguments.program.exists():
        print(
            f"error: {arguments.program} does not exist; build it or give --program",
            file=sys.stderr,
        )
        return 2
    load = load_average()
    try:
        measured = _launch(arguments.program)
    except processes.ProcessFailed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    Console().print(_table(measured))
    if arguments.json:
        report = {"machine": machine(), **commit(), "load_average": load, **measured}
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
