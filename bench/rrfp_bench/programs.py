"""What a run of the table means for each program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from peers import torch_pipelining
from rrfp_bench.command import JOBS, Command, analytic_ms
from rrfp_bench.runs import ANALYTIC, OURS, PYTORCH, SIMULATION, Outcome, Run


def job_file(run: Run) -> Path:
    suffix = {"1f1b": "", "interleaved-1f1b": "-interleaved", "zbv": "-zbv"}[run.workload]
    return JOBS / f"p{run.pipeline}{suffix}.toml"


def settings(run: Run, iterations: int) -> dict[str, object]:
    """What the run changes in its job file."""
    changed = {
        "schedule.arbiter": run.arbiter,
        "model.message_bytes": run.message_bytes,
        "jitter.compute_cv": run.compute_cv,
        "jitter.microbatch_cv": run.microbatch_cv,
        "jitter.comm_mean_ms": run.comm_mean_ms,
        "train.iterations": iterations,
    }
    if run.limit:
        changed["schedule.limit"] = run.limit
    return changed


class Programs:
    """Executes runs. Every program meets the same draws: they are keyed, not drawn in sequence.

    `folder` keeps the drawn durations, which depend on pipeline, workload and jitter alone, between
    rounds.
    """

    def __init__(self, command: Command, iterations: int, folder: Path) -> None:
        self._command = command
        self._iterations = iterations
        self._folder = folder
        self._durations: dict[tuple[int, str, float], list[Path]] = {}
        self._execute: dict[str, Callable[[Run], Outcome]] = {
            OURS: lambda run: self._report("run", run),
            SIMULATION: lambda run: self._report("simulate", run),
            PYTORCH: self._pytorch,
            ANALYTIC: self._analytic,
        }

    def execute(self, run: Run) -> Outcome:
        """Raises ProcessFailed when the program fails."""
        return self._execute[run.program](run)

    def _report(self, verb: str, run: Run) -> Outcome:
        report = self._command.report(verb, job_file(run), settings(run, self._iterations))
        return Outcome(report.milliseconds, report.command, report.in_flight)

    def _drawn(self, run: Run) -> list[Path]:
        key = (run.pipeline, run.workload, run.compute_cv)
        if key not in self._durations:
            folder = self._folder / "-".join(map(str, key))
            folder.mkdir()
            self._durations[key] = self._command.write_durations(
                job_file(run), settings(run, self._iterations), folder
            )
        return self._durations[key]

    def _pytorch(self, run: Run) -> Outcome:
        milliseconds = torch_pipelining.run(
            self._drawn(run),
            ranks=run.pipeline,
            message_bytes=run.message_bytes,
            schedule=run.workload,
        )
        chosen = f"--schedule {run.workload} --ranks {run.pipeline} --message-bytes {run.message_bytes}"
        return Outcome(tuple(milliseconds), f"bench/run_peers.py {chosen} --durations *.csv")

    def _analytic(self, run: Run) -> Outcome:
        return Outcome((analytic_ms(job_file(run)),), "(M + P - 1) (F + B)")
