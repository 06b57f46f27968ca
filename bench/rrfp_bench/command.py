"""The command `rrfp`, called as a user calls it."""

from __future__ import annotations

import json
import shlex
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rrfp_bench import processes
from rrfp_bench.machine import ROOT

BINARY = ROOT / "build" / "release" / "bin" / "rrfp"
JOBS = ROOT / "bench" / "jobs"

Settings = Mapping[str, object]


def _toml(value: object) -> str:
    return value if isinstance(value, str) and value else json.dumps(value)


@dataclass(frozen=True)
class Report:
    """A report of `--json`, and the command that wrote it."""

    content: dict
    command: str

    @property
    def milliseconds(self) -> tuple[float, ...]:
        return tuple(float(each["milliseconds"]) for each in self.content["iterations"])

    @property
    def in_flight(self) -> int:
        """The most microbatches in flight at any rank, chunks counted one by one."""
        return max(each["in_flight_high_water"] for each in self.content["ranks"])


@dataclass(frozen=True)
class Command:
    """Calls one `rrfp` binary."""

    binary: Path = BINARY
    timeout_s: float = 300

    def arguments(self, verb: str, job: Path, settings: Settings) -> list[str]:
        shown = job.relative_to(ROOT) if job.is_relative_to(ROOT) else job
        chosen = []
        for key, value in settings.items():
            chosen += ["--set", f"{key}={_toml(value)}"]
        return [str(self.binary), verb, str(shown), *chosen]

    def report(self, verb: str, job: Path, settings: Settings) -> Report:
        """Runs `rrfp VERB JOB` to its end. Raises ProcessFailed with what it said."""
        arguments = self.arguments(verb, job, settings)
        with tempfile.TemporaryDirectory(prefix="rrfp-bench-") as folder:
            path = Path(folder) / "report.json"
            processes.run(
                [*arguments, "--json", path, "--quiet"], timeout_s=self.timeout_s, folder=ROOT
            )
            content = json.loads(path.read_text())
        arguments[0] = "rrfp"
        return Report(content, shlex.join(arguments))

    def write_durations(self, job: Path, settings: Settings, folder: Path) -> list[Path]:
        """The realised durations that a run of the job meets, one file an iteration."""
        arguments = self.arguments("simulate", job, settings)
        files = []
        for iteration in range(1, int(settings["train.iterations"]) + 1):
            files.append(folder / f"{iteration}.csv")
            chosen = ["--iteration", iteration, "--write-durations", files[-1]]
            processes.run([*arguments, *chosen, "--quiet"], timeout_s=self.timeout_s, folder=ROOT)
        return files


def analytic_ms(job: Path) -> float:
    """What 1F1B takes without variability or overhead: (M + P - 1) (F + B)."""
    content = tomllib.loads(job.read_text())
    model, train = content["model"], content["train"]
    slots = train["microbatches"] + content["parallel"]["pipeline"] - 1
    return slots * (model["forward_ms"] + model["backward_ms"])
