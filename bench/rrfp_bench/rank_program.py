"""Programs that run on several ranks and print one JSON object: how each of them is called."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from rrfp_bench import processes
from rrfp_bench.machine import ROOT, commit, load_average, machine

_PROGRAMS = ROOT / "build" / "release" / "bin"


def _launch(program: Path, ranks: int) -> dict:
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    output = processes.run(
        ["mpirun", *as_root, "--bind-to", "none", "--oversubscribe", "-n", str(ranks), program],
        timeout_s=120,
    )
    return json.loads(output)


def main(
    description: str,
    name: str,
    ranks: int,
    show: Callable[[dict], bool],
    reported: Callable[[dict], dict],
) -> int:
    """The whole of a script that runs the program `name`; returns its exit status.

    `show` prints what was measured and says whether all targets are met; `reported` gives what
    stands in the file of `--json`, beside machine, commit and load.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--program", type=Path, default=_PROGRAMS / name, metavar="FILE")
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
        measured = _launch(arguments.program, ranks)
    except processes.ProcessFailed as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    met = show(measured)
    if arguments.json:
        report = {"machine": machine(), **commit(), "load_average": load, **reported(measured)}
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if met else 1
