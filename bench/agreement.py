#!/usr/bin/env python3
"""What agreement between tensor-parallel ranks costs: runs the program agreement_cost on four.

Two stages of two tensor ranks, tasks of 10 ms. Exits with 0 when the targets are met, 1 when one is
missed or the run failed, 2 for bad input.
"""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table
from rrfp_bench import rank_program

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


def _table(measured: dict) -> Table:
    table = Table(title="The rank where coordination takes the largest share")
    table.add_column("")
    for protocol in measured:
        table.add_column(protocol, justify="right")
    for key, name in ROWS:
        table.add_row(name, *(f"{each[key]:.3f}" for each in measured.values()))
    return table


def _show(measured: dict) -> bool:
    Console().print(_table(measured))
    missed = False
    for protocol, figure, most in TARGETS:
        value = measured[protocol][figure]
        missed |= value >= most
        verdict = "FAIL" if value >= most else "pass"
        print(f"{protocol} {figure}: {value:.3f}, target < {most} {verdict}")
    return not missed


if __name__ == "__main__":
    sys.exit(
        rank_program.main(
            __doc__.splitlines()[0],
            "agreement_cost",
            ranks=4,
            show=_show,
            reported=lambda measured: {"agreement": measured},
        )
    )
