#!/usr/bin/env python3
"""What agreement between tensor-parallel ranks costs: runs the program agreement_cost on four.

Two stages of two tensor ranks, tasks of 10 ms. Exits with 0 when the targets are met, 1 when one is
missed or the run failed, 2 for bad input.
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

PROGRAM = ROOT / "build" / "release" / "bin" / "agreement_cost"
# Protocol, figure, and the percentage of the iteration that it must stay below.
TARGETS = (
    ("board", "coordination_percent", 1.0),
    ("board", "ahead_coordination_percent", 0.1),
    ("allgather", "coordination_percent", 2.0),
)
ROWS = (
    ("iteration_ms", "iteration, ms"),
    ("coordination_percent", "coordination, % of the iteration"),
    ("ahead_coordination_percent", "of these, decided ahead, %"),
    ("ahead_share", "decided ahead, share of tasks"),
    ("messages_per_decision", "messages a decision"),
    ("retries_per_decision", "retries a decision"),
)


def _launch(program: Path) -> dict:
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    output = processes.run(
        ["mpirun", *as_root, "--bind-to", "none", "--oversubscribe", "-n", "4", program],
        timeout_s=120,
    )
    return json.loads(output)


def _table(measured: dict) -> Table:
    table = Table(title="The rank where coordination takes the largest share")
    table.add_column("")
    for protocol in measured:
        table.add_column(protocol, justify="right")
    for key, name in ROWS:
        table.add_row(name, *(f"{each[key]:.3f}" for each in measured.values()))
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
    missed = False
    for protocol, figure, most in TARGETS:
        value = measured[protocol][figure]
        missed |= value >= most
        verdict = "FAIL" if value >= most else "pass"
        print(f"{protocol} {figure}: {value:.3f}, target < {most} {verdict}")
    if arguments.json:
        report = {"machine": machine(), **commit(), "load_average": load, "agreement": measured}
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
