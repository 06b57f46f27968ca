#!/usr/bin/env python3
"""Measures the Megatron bridge against Megatron's own 1F1B, on the same draws in the same processes.

Each iteration's work is drawn once, and every schedule runs it before the next is drawn: what else the
machine does meets all of them alike. Tasks sleep what computing has left of their drawn duration.
Exits with 0 when every target is met, 1 when one is missed or a run failed, 2 for bad input.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from rrfp_bench.machine import commit, load_average, machine

RANK_PROGRAM = Path(__file__).parent / "peers/megatron_rank.py"
# How many times as fast as Megatron's a schedule shall be, by CV. None for `bf` at Megatron's memory:
# there it is slower than 1F1B in theory too, and `tide` is the arbiter for that.
SPEED_UP = {
    "bf": {0.0: 1.0, 0.5: 1.15, 1.0: 1.25},
    "tide": {0.0: 1.0, 0.5: 1.15, 1.0: 1.25},
    "tide, stock's memory": {0.0: 1.0, 0.5: 1.0, 1.0: 1.0},
    # With chunks, where nobody chose.
    "default, stock's memory": {0.0: 1.0, 0.5: 1.0, 1.0: 1.0},
    "default, 2P more": {0.5: 1.02, 1.0: 1.04},
}
MOST_BETWEEN_TASKS_US = 200


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--microbatches", type=int, default=16)
    parser.add_argument("--chunks", type=int, default=1, help="virtual stages of a rank")
    parser.add_argument("--forward-ms", type=float, default=10.0)
    parser.add_argument("--backward-ms", type=float, default=20.0)
    parser.add_argument("--cv", type=float, nargs="+", default=[0.0, 0.5, 1.0])
    parser.add_argument("--iterations", type=int, default=8, help="the first is warm-up")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def _measure(arguments: argparse.Namespace, cv: float) -> dict[str, dict]:
    """What each schedule took, by name."""
    with tempfile.TemporaryDirectory(prefix="rrfp-megatron-") as folder:
        result = Path(folder, "result.json")
        command = ["mpirun", "--bind-to", "none", "--oversubscribe", "-n", str(arguments.ranks)]
        if os.getuid() == 0:
            command.append("--allow-run-as-root")
        command += [sys.executable, str(RANK_PROGRAM), "--result", str(result), "--cv", str(cv)]
        for name in ("microbatches", "chunks", "forward_ms", "backward_ms", "iterations"):
            command += [f"--{name.replace('_', '-')}", str(getattr(arguments, name))]
        subprocess.run(command, check=True)
        return json.loads(result.read_text())


def _show(cv: float, measured: dict[str, dict]) -> bool:
    """Prints a line a schedule. Whether all of them meet their targets."""
    stock = measured["stock"]["milliseconds"]
    print(f"CV {cv:g}")
    missed = False
    for name, found in measured.items():
        # Within an iteration, which all schedules ran side by side.
        gain = statistics.median(theirs / ours for theirs, ours in zip(stock, found["milliseconds"]))
        line = f"  {name:24} {statistics.median(found['milliseconds']):8.1f} ms  {gain:6.3f} x stock"
        target = SPEED_UP.get(name, {}).get(cv)
        fails = target is not None and gain < target
        if target is not None:
            line += f" (≥ {target:g}: {'FAIL' if fails else 'pass'})"
        if found["gap_us"] is not None:
            line += f"  {found['gap_us']:.0f} us between tasks, {found['in_flight']} in flight"
            fails |= found["gap_us"] >= MOST_BETWEEN_TASKS_US
        print(line, flush=True)
        missed |= fails
    return not missed


def main() -> int:
    arguments = _arguments()
    document = {"machine": machine(), **commit(), "load_before": load_average(), "runs": []}
    met = True
    for cv in arguments.cv:
        measured = _measure(arguments, cv)
        met &= _show(cv, measured)
        document["runs"].append({"cv": cv, "schedules": measured})
    document["load_after"] = load_average()
    if arguments.json:
        arguments.json.write_text(json.dumps(document, indent=1))
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
