"""Runs the command as a user does. RRFP names another build's program."""

import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("RRFP", ROOT / "build/release/bin/rrfp"))

SYNTHETIC = """\
[model]
kind = "synthetic"
forward_ms = 10
backward_ms = 20

[parallel]
pipeline = 4

[train]
microbatches = 16
iterations = 3
"""


def sets(*texts):
    return [word for text in texts for word in ("--set", text)]


SHORT = sets("model.forward_ms=1", "model.backward_ms=2", "train.microbatches=8")


class Rrfp:
    """One folder with a job file in it."""

    def __init__(self, folder):
        self.folder = folder
        self.job = folder / "job.toml"
        self.job.write_text(SYNTHETIC)

    def write(self, text):
        self.job.write_text(text)
        return self

    def __call__(self, *words, timeout=60, launcher=(), environment=None):
        return subprocess.run(
            [*launcher, PROGRAM, *map(str, words)],
            cwd=self.folder,
            env={**os.environ, **(environment or {})},
            capture_output=True,
            text=True,
            timeout=timeout,
        )

    def report(self, *words, **options):
        """The JSON report of a command that must succeed."""
        file = self.folder / "report.json"
        done = self(*words, "--json", file, **options)
        assert done.returncode == 0, done.stderr
        return json.loads(file.read_text())
