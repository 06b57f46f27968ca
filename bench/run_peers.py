#!/usr/bin/env python3
"""Measures PyTorch's pipelining with sleeping stages, on given durations or on constant ones."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from peers import torch_pipelining
from peers.torch_job import SCHEDULES
from rrfp_bench.durations import Durations, write_durations
from rrfp_bench.machine import load_average, machine
from rrfp_bench.processes import ProcessFailed


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schedule", choices=SCHEDULES, default="1f1b")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--message-bytes", type=int, default=2048)
    parser.add_argument(
        "--durations", type=Path, nargs="+", metavar="FILE", help="one file an iteration"
    )
    constant = parser.add_argument_group("without --durations")
    constant.add_argument("--stages", type=int, help="default: as ranks, for zbv twice as many")
    constant.add_argument("--microbatches", type=int, default=16)
    constant.add_argument("--forward-ms", type=float, default=10.0, help="per stage")
    constant.add_argument("--backward-ms", type=float, default=20.0, help="per stage, without W")
    constant.add_argument("--weight-ms", type=float, help="per stage, for a split backward")
    constant.add_argument("--iterations", type=int, default=8, help="the first is warm-up")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def _constant_files(arguments: argparse.Namespace, folder: Path) -> list[Path]:
    stages = arguments.stages or arguments.ranks * (2 if arguments.schedule == "zbv" else 1)
    durations = Durations.constant(
        stages,
        arguments.microbatches,
        arguments.forward_ms,
        arguments.backward_ms,
        arguments.weight_ms,
    )
    write_durations(folder / "constant.csv", durations)
    return [folder / "constant.csv"] * arguments.iterations


def main() -> int:
    arguments = _arguments()
    with tempfile.TemporaryDirectory(prefix="rrfp-peer-") as folder:
        try:
            milliseconds = torch_pipelining.run(
                arguments.durations or _constant_files(arguments, Path(folder)),
                ranks=arguments.ranks,
                message_bytes=arguments.message_bytes,
                schedule=arguments.schedule,
            )
        except ValueError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        except ProcessFailed as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    median = statistics.median(milliseconds[1:] or milliseconds)
    print(
        f"PyTorch {arguments.schedule}: median {median:.1f} ms of {len(milliseconds) - 1} "
        f"iterations after the first, load {load_average()[0]}"
    )
    if arguments.json:
        report = {
            "milliseconds": milliseconds,
            "median_ms": median,
            "machine": machine(),
            "load_average": load_average(),
        }
        arguments.json.write_text(json.dumps(report, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
