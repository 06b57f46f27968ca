"""Guards: only the ranks of gpt jobs load libtorch. Everything else runs from `rrfp` alone; a gpt job
that finds no `rrfp-torch` beside it says so; under the user's own mpirun it becomes that program."""

import shutil
import subprocess

import pytest

from command import PROGRAM
from training_jobs import losses

ONE_ITERATION = ["--set", "train.iterations=1", "--set", "parallel.pipeline=2"]


@pytest.fixture
def alone(tmp_path):
    """The program `rrfp` with no other beside it."""
    (tmp_path / "bin").mkdir()
    program = shutil.copy(PROGRAM, tmp_path / "bin/rrfp")

    def run(folder, *words):
        return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True,
                              timeout=60)

    return run


def test_timed_jobs_and_simulations_need_no_libtorch(rrfp, alone):
    for command in ("run", "simulate"):
        done = alone(rrfp.folder, command, "job.toml", *ONE_ITERATION)
        assert done.returncode == 0, done.stderr


def test_gpt_jobs_say_what_is_missing(gpt, alone):
    done = alone(gpt.folder, "run", "job.toml", *ONE_ITERATION)
    assert done.returncode == 1 and done.stdout == ""
    assert "rrfp-torch: No such file" in done.stderr
    told = alone(gpt.folder, "doctor")
    assert told.returncode == 1
    assert any("libtorch" in line and "FAIL" in line for line in told.stdout.splitlines())


def test_gpt_jobs_join_the_users_mpirun(gpt):
    mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2"]
    joined = gpt.report("run", "job.toml", *ONE_ITERATION, launcher=mpirun)
    assert losses(joined) == losses(gpt.report("run", "job.toml", *ONE_ITERATION))
