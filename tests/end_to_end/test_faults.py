"""Guards: whatever happens to a job's launcher, its mpirun or a rank, wherever the job is, all of it is gone soon
after, with an exit code that says so and a line that names the culprit; nothing is left in /dev/shm and /tmp. A
rank that writes for long is left alone. RRFP_ALL_COMBINATIONS=1 tries every signal on every process everywhere."""

import itertools
import os
import signal

import pytest

from fault_runs import HOLD, PLACES, SHORT, HeldRun
from processes import alive, eventually

SIGNALS = {
    "KILL": [signal.SIGKILL],
    "STOP": [signal.SIGSTOP],
    "TERM": [signal.SIGTERM],
    "SEGV": [signal.SIGSEGV],
    "HUP": [signal.SIGHUP],
    "INT-INT": [signal.SIGINT, signal.SIGINT],
}
PROCESSES = ["launcher", "mpirun", "first", "last"]
# Of each signal, each process and each place some.
SAMPLE = [
    ("KILL", "launcher", "iteration"),
    ("KILL", "mpirun", "start"),
    ("KILL", "last", "shutdown"),
    ("SEGV", "first", "between"),
    ("STOP", "mpirun", "iteration"),
    ("STOP", "last", "shutdown"),
    ("HUP", "launcher", "start"),
    ("INT-INT", "launcher", "iteration"),
    ("TERM", "first", "checkpoint"),
]


def chosen():
    if os.environ.get("RRFP_ALL_COMBINATIONS") == "1":
        return list(itertools.product(SIGNALS, PROCESSES, PLACES))
    return SAMPLE


@pytest.fixture
def held(rrfp):
    if not HOLD.exists():
        pytest.skip(f"{HOLD} is not built")
    runs = []

    def start(*words, **options):
        runs.append(HeldRun(rrfp, *words, **options))
        return runs[0]

    yield start
    for run in runs:
        run.kill()


def target(run, process):
    return {"launcher": run.process.pid, "mpirun": run.mpirun, "first": run.ranks[0], "last": run.ranks[-1]}[process]


def expected_code(fault, process):
    if process != "launcher":
        return 1
    return {"KILL": -signal.SIGKILL, "SEGV": -signal.SIGSEGV, "TERM": 143, "HUP": 129, "INT-INT": 130, "STOP": 0}[fault]


def culprit(run, process):
    if process == "launcher":
        return ""
    if process == "mpirun":
        return f"mpirun (pid {run.mpirun})"
    return f"rank {0 if process == 'first' else run.count - 1} (pid {target(run, process)}"


@pytest.mark.parametrize("fault, process, place", chosen(), ids=map("-".join, chosen()))
def test_a_fault_ends_the_job_and_is_named(held, fault, process, place):
    run = held(place, limit=1 if fault == "STOP" else 5)
    for number in SIGNALS[fault]:
        os.kill(target(run, process), number)
    if (fault, process) == ("STOP", "launcher"):
        # Nobody can act for it: the job goes on, and is whole when it goes on itself.
        os.kill(run.process.pid, signal.SIGCONT)
        if place == "iteration":
            return
        run.go_on()
    code, err = run.end(40)
    assert code == expected_code(fault, process), err
    assert culprit(run, process) in err
    assert process == "launcher" or err.startswith(("rrfp: ", "[")), err
    if place == "shutdown" and code == 1:
        assert run.whole_report() == 2  # B8: what was done is not lost


def test_R51_a_rank_that_writes_for_longer_than_the_limit_is_at_work(held):
    run = held("checkpoint", limit=0.5, longest=2)
    code, err = run.end(60)
    assert (code, err) == (0, "")


def test_B13_a_rank_that_never_comes_back_from_its_own_work_is_named(held):
    run = held("checkpoint", limit=0.4)
    code, err = run.end(40)
    assert code == 1
    assert f"rank 0 (pid {run.ranks[0]}): at work while it wrote a checkpoint after iteration 1" in err


def test_B14_ranks_that_are_all_stopped_are_named_by_the_launcher(held):
    run = held("iteration", limit=1)
    for pid in run.ranks:
        os.kill(pid, signal.SIGSTOP)
    code, err = run.end(40)
    assert code == 1
    for rank, pid in enumerate(run.ranks):
        assert f"rank {rank} (pid {pid}) is stopped" in err and "in iteration" in err


def test_what_two_kills_leave_is_removed_by_the_next_start(held):
    run = held("start")
    assert eventually(lambda: os.path.exists(run.session["PMIX_SERVER_TMPDIR"] + "/rrfp-job"), 10)
    for pid in [run.process.pid, run.mpirun, *run.ranks]:
        os.kill(pid, signal.SIGKILL)
    run.process.communicate(timeout=20)
    assert eventually(lambda: not alive(run.below), 10)
    assert run.left_behind()
    other = run.rrfp("run", "job.toml", *SHORT)
    assert other.returncode == 0, other.stderr
    assert not run.left_behind()
