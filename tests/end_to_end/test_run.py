"""Guards: `rrfp run` starts its ranks, tells how it gets on, ends them all whatever happens, and its
exit code says how it went."""

import os
import signal
import subprocess

import pytest

from command import PROGRAM, SHORT
from processes import alive, descendants, eventually, name

LONG = ["--set", "train.iterations=1000"]


def test_a_run_reports_what_it_did(rrfp):
    report = rrfp.report("run", "job.toml", *SHORT, "--timeline", "picture.svg")
    assert len(report["iterations"]) == 3
    assert all(i["milliseconds"] > 0 and i["loss"] is None for i in report["iterations"])
    for stage, actions in enumerate(report["order"]):
        assert sorted(actions) == sorted(f"{stage}{k}{m}" for k in "FB" for m in range(8))
    assert [rank["rank"] for rank in report["ranks"]] == [0, 1, 2, 3]
    assert (rrfp.folder / "picture.svg").read_text().startswith("<svg ")


def test_lines_when_piped_and_a_table_at_the_end(rrfp):
    done = rrfp("run", "job.toml", *SHORT)
    assert done.returncode == 0, done.stderr
    assert "\r" not in done.stdout
    assert done.stdout.startswith("iteration 1/3  ")
    assert "median iteration" in done.stdout
    assert done.stderr == ""


def test_quiet_prints_nothing(rrfp):
    done = rrfp("run", "job.toml", *SHORT, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_joins_the_mpi_job_it_is_started_under(rrfp):
    done = rrfp("run", "job.toml", *SHORT, launcher=[
        "mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "4"])
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("iteration 1/3") == 1


@pytest.mark.parametrize("change", ["train.microbatches=2", "train.microbatches=1",
                                    "parallel.pipeline=1", "schedule.limit=1",
                                    "parallel.pipeline=6"])
@pytest.mark.parametrize("arbiter", ["fixed", "bf"])
def test_small_pipelines_and_limits_run(rrfp, arbiter, change):
    if arbiter == "fixed" and change == "schedule.limit=1":
        pytest.skip("a fixed list keeps its own memory")
    rrfp.report("run", "job.toml", *SHORT, "--set", f"schedule.arbiter={arbiter}", "--set", change)


def test_a_comparison(rrfp):
    report = rrfp.report("compare", "job.toml", "--arbiters", "fixed,bf", *SHORT,
                         "--timeline", "picture.svg")
    assert [run["job"]["schedule"]["arbiter"] for run in report["runs"]] == ["fixed", "bf"]
    medians = [run["summary"]["median_ms"] for run in report["runs"]]
    assert report["speedup"] == [1.0, medians[0] / medians[1]]
    picture = (rrfp.folder / "picture.svg").read_text()
    assert "fixed: median" in picture and "bf: median" in picture


class Running:
    """A long run in the background, its ranks up and an iteration done."""

    def __init__(self, rrfp):
        self.process = subprocess.Popen(
            [PROGRAM, "run", "job.toml", *LONG], cwd=rrfp.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.first = self.process.stdout.readline()
        self.below = descendants(self.process.pid)

    def ranks(self):
        return [pid for pid in self.below if name(pid) == "rrfp"]

    def end(self, seconds):
        out, err = self.process.communicate(timeout=seconds)
        assert eventually(lambda: not alive(self.below), 5), alive(self.below)
        return self.process.returncode, out, err


@pytest.fixture
def running(rrfp):
    run = Running(rrfp)
    yield run
    if run.process.poll() is None:
        run.process.kill()
        run.process.communicate(timeout=30)
    for pid in alive(run.below):
        os.kill(pid, signal.SIGKILL)


def test_ranks_are_children_of_mpirun_and_called_rrfp(running):
    assert running.first.startswith("iteration 1/1000")
    assert len(running.ranks()) == 4


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_all_ranks(running, number, code):
    running.process.send_signal(number)
    assert running.end(20)[0] == code


def test_a_killed_rank_ends_the_job_with_a_message(running):
    os.kill(running.ranks()[2], signal.SIGKILL)
    code, _, err = running.end(30)
    assert code not in (0, 2)
    assert "rrfp: " in err


def test_killing_the_launcher_ends_the_ranks(running):
    running.process.kill()
    running.end(20)
