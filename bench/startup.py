#!/usr/bin/env python3
"""From the start of `rrfp run` to its first dispatch, on eight ranks.

    bench/startup.py --against OLD/rrfp --rounds 7 --json bench/results/FILE.json

When a run of one iteration prints it, its first dispatch is as long ago as it says that the iteration took. Rounds
alternate between the programs; every run is in the file. Where a machine does other things beside, the processor
time of the whole run says more.
"""

import argparse
import json
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
JOBS = {
    "synthetic": """
model.kind = "synthetic"
model.forward_ms = 1
model.backward_ms = 2
parallel.pipeline = 8
train.microbatches = 32
train.iterations = 1
""",
    "gpt": """
data.text = "book.txt"
model.layers = 8
model.hidden = 32
model.sequence = 32
parallel.pipeline = 8
train.microbatches = 32
train.microbatch_size = 1
train.iterations = 1
""",
}


ITERATION = re.compile(r"iteration 1/1.*  ([0-9.]+) ms")


def processor_ms():
    """Of all processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (used.ru_utime + used.ru_stime)


def start(program, folder):
    """Milliseconds from the start of the command to the first dispatch, and of processor time of the whole run."""
    used, begin = processor_ms(), time.monotonic()
    with subprocess.Popen(
        [program, "run", "job.toml"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as run:
        for line in run.stdout:
            if found := ITERATION.search(line):
                told = 1000 * (time.monotonic() - begin) - float(found[1])
        if run.wait() != 0:
            raise SystemExit(f"{program} failed")
    return {"ms": told, "processor_ms": processor_ms() - used}


def measure(programs, job, rounds):
    times = {program: [] for program in programs}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "job.toml").write_text(job)
        (folder / "book.txt").write_text("the quick brown fox jumps over the lazy dog\n" * 2000)
        for number in range(rounds + 1):
            for program in programs if number % 2 else reversed(programs):
                taken = start(program, folder)
                if number > 0:  # the first loads files into memory
                    times[program].append(taken)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rrfp", default=str(ROOT / "build/release/bin/rrfp"))
    parser.add_argument("--against", help="another rrfp, measured in turn")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    programs = [options.rrfp] + ([options.against] if options.against else [])
    results = {}
    for name, job in JOBS.items():
        runs = measure(programs, job, options.rounds)
        results[name] = {"runs": runs[options.rrfp]}
        if options.against:
            results[name]["against"] = runs[options.against]
        for figure in ("ms", "processor_ms"):
            own = [run[figure] for run in runs[options.rrfp]]
            line = f"{name:>10} {figure:>12}: {statistics.median(own):.0f}"
            if options.against:
                other = [run[figure] for run in runs[options.against]]
                ratios = [one / two for one, two in zip(own, other, strict=True)]
                line += f", against {statistics.median(other):.0f}, ratio {statistics.median(ratios):.2f}"
                line += f" ({min(ratios):.2f} to {max(ratios):.2f})"
            print(line)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
