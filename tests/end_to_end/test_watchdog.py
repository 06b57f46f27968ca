"""Guards: a rank that stops ends the job with a message that names it and who waits for whom."""

import os
import signal
import subprocess

from command import PROGRAM
from processes import alive, descendants, eventually, name


def rank_of(pid):
    with open(f"/proc/{pid}/environ") as environ:
        return dict(pair.split("=", 1) for pair in environ.read().split("\0") if "=" in pair)[
            "OMPI_COMM_WORLD_RANK"]


def test_a_stopped_rank_is_named(rrfp):
    process = subprocess.Popen(
        [PROGRAM, "run", "job.toml", "--set", "train.iterations=1000",
         "--set", "watchdog.seconds=2"],
        cwd=rrfp.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    below = descendants(process.pid)
    ranks = sorted(pid for pid in below if name(pid) == "rrfp")
    stopped = ranks[2]
    number = rank_of(stopped)
    os.kill(stopped, signal.SIGSTOP)
    _, err = process.communicate(timeout=40)
    assert process.returncode not in (0, 2)
    assert f"rank {number}" in err and "stopped" in err
    assert "waiting" in err
    assert eventually(lambda: not alive(below), 10), alive(below)


def test_a_rank_stopped_while_it_starts_is_named(rrfp):
    process = subprocess.Popen(
        [PROGRAM, "run", "job.toml", "--set", "train.iterations=1000",
         "--set", "watchdog.seconds=2"],
        cwd=rrfp.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def ranks():
        return sorted(pid for pid in descendants(process.pid) if name(pid) == "rrfp")

    assert eventually(lambda: len(ranks()) == 4, 20)
    below = descendants(process.pid)
    stopped = ranks()[2]
    number = rank_of(stopped)
    os.kill(stopped, signal.SIGSTOP)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 1
    assert f"rank {number} (pid {stopped})" in err and "stopped" in err
    assert eventually(lambda: not alive(below), 10), alive(below)
