#!/usr/bin/env python3
"""What the runtime itself adds to a task: runs the program task_overhead on two ranks.

Exits with 0 when it ran, 1 when it failed, 2 for bad input. There is no target: the figures say how
long a task must last for the runtime not to matter.
"""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table
from rrfp_bench import rank_program

ROWS = (
    ("submit_to_start", "call of run to the first task's start"),
    ("end_to_start_same_rank", "a task's end to its successor's start, same rank"),
    ("end_to_start_across_ranks", "the same, successor on the other rank"),
)


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


def _show(measured: dict) -> bool:
    Console().print(_table(measured))
    return True


if __name__ == "__main__":
    sys.exit(
        rank_program.main(
            __doc__.splitlines()[0],
            "task_overhead",
            ranks=2,
            show=_show,
            reported=lambda measured: measured,
        )
    )
