#!/usr/bin/env python3
"""Takes the table of figures that this runtime must reach; bench/README.md explains each.

Exits with 0 when every figure meets its target, 1 when one does not or a program fails, 2 for bad
input.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
import time
from pathlib import Path

from rrfp_bench import results, table, targets
from rrfp_bench.command import BINARY, Command
from rrfp_bench.machine import ROOT
from rrfp_bench.processes import ProcessFailed
from rrfp_bench.programs import Programs


def _parts(text: str) -> tuple[str, ...]:
    parts = tuple(text.split(","))
    for part in parts:
        if part not in targets.PARTS:
            raise argparse.ArgumentTypeError(
                f"unknown part {part!r}; the parts are {', '.join(targets.PARTS)}"
            )
    return parts


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: must be positive")
    return number


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only",
        type=_parts,
        default=targets.PARTS,
        metavar="PART,…",
        help=f"some of {','.join(targets.PARTS)}",
    )
    parser.add_argument("--pipeline", type=int, choices=targets.PIPELINES, help="default: both")
    parser.add_argument("--rounds", type=_positive, default=3)
    parser.add_argument("--iterations", type=_positive, default=15, help="of a run")
    parser.add_argument("--rrfp", type=Path, default=BINARY, metavar="FILE", help="the command")
    parser.add_argument(
        "--results", type=Path, default=ROOT / "bench" / "results", metavar="FOLDER"
    )
    return parser.parse_args()


def main() -> int:
    arguments = _arguments()
    if not arguments.rrfp.exists():
        print(f"error: {arguments.rrfp} does not exist; build it or give --rrfp", file=sys.stderr)
        return 2
    pipelines = (arguments.pipeline,) if arguments.pipeline else targets.PIPELINES
    figures = targets.figures(arguments.only, pipelines)
    start = time.monotonic()

    def tell(line: str) -> None:
        print(f"[{time.monotonic() - start:6.0f} s] {line}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="rrfp-bench-") as folder:
        programs = Programs(Command(arguments.rrfp.resolve()), arguments.iterations, Path(folder))
        try:
            taken, rounds = table.take(figures, arguments.rounds, programs.execute, tell)
        except ProcessFailed as failure:
            print(f"error: {failure}", file=sys.stderr)
            return 1
    results.show(taken)
    configuration = {
        "command": shlex.join(["bench/run_table.py", *sys.argv[1:]]),
        "rounds": arguments.rounds,
        "iterations": arguments.iterations,
    }
    for path in results.write(results.document(taken, rounds, configuration), arguments.results):
        print(f"wrote {path}")
    return 0 if all(result.met for result in taken) else 1


if __name__ == "__main__":
    sys.exit(main())
