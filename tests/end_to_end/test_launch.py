"""Guards: a job that does not start says why, and one that runs obeys the signals its launcher gets as a program
of a shell does: ignored ones stay ignored, and one that suspends it suspends its ranks."""

import os
import signal
import subprocess

import pytest

from command import PROGRAM, SHORT, sets
from fault_runs import HOLD, end_all, ranks_below
from processes import alive, descendants, eventually


def state(pid):
    with open(f"/proc/{pid}/stat") as text:
        return text.read().rpartition(")")[2].split()[0]


def programs(folder, text):
    """A PATH whose first mpirun is a script of that text."""
    folder = folder / "programs"
    folder.mkdir()
    script = folder / "mpirun"
    script.write_text(text)
    script.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


class Running:
    """A job of some seconds in the background, an iteration done."""

    def __init__(self, rrfp, prepare=None, iterations=1000):
        self.process = subprocess.Popen(
            [PROGRAM, "run", "job.toml", *SHORT, "--set", f"train.iterations={iterations}"], cwd=rrfp.folder,
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=prepare)
        assert self.process.stdout.readline().startswith("iteration 1/")
        self.below = descendants(self.process.pid)
        self.ranks = ranks_below(self.process.pid)

    def end(self, seconds=30):
        _, err = self.process.communicate(timeout=seconds)
        assert eventually(lambda: not alive(self.below), 10), alive(self.below)
        return self.process.returncode, err


@pytest.fixture
def start(rrfp):
    runs = []

    def begin(*words, **options):
        runs.append(Running(rrfp, *words, **options))
        return runs[-1]

    yield begin
    for run in runs:
        end_all(run.process, run.below)


def test_R52_another_mpis_mpirun_is_refused_with_its_name(rrfp):
    path = programs(rrfp.folder, "#!/bin/sh\necho 'HYDRA build details:'\necho '    Version: 4.0.2'\n")
    done = rrfp("run", "job.toml", environment=path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "programs/mpirun, the first mpirun in PATH, is not Open MPI's; it says: HYDRA build details" in done.stderr
    assert "Install Open MPI" in done.stderr


def test_R33_an_mpirun_that_does_not_start_is_named_with_the_reason(rrfp):
    done = rrfp("run", "job.toml", environment=programs(rrfp.folder, "#!/no/such/program\n"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("rrfp: ") and "programs/mpirun: No such file or directory" in done.stderr


def test_R33_a_wrong_prefix_of_open_mpi_is_named(rrfp):
    done = rrfp("run", "job.toml", environment={"OPAL_PREFIX": "/no/such/folder"})
    assert (done.returncode, done.stdout) == (1, "")
    assert "OPAL_PREFIX=/no/such/folder" in done.stderr and "unset it" in done.stderr


@pytest.mark.parametrize("setting, theirs", [
    ("OMPI_MCA_rmaps_base_no_oversubscribe=1", "NOOVERSUBSCRIBE"),
    # Open MPI itself loses the longer explanations of some ranks now and then.
    ("OMPI_MCA_coll=^libnbc", "An error occurred in MPI_Init")])
def test_B19_open_mpis_own_words_are_kept_where_they_explain(rrfp, setting, theirs):
    variable, value = setting.split("=")
    done = rrfp("run", "job.toml", environment={variable: value})
    assert done.returncode == 1
    assert theirs in done.stderr
    assert f"the environment sets {setting}, which may be the cause" in done.stderr


def test_a_time_limit_of_mpirun_is_named(rrfp):
    done = rrfp("run", "job.toml", *sets("train.iterations=1000"), environment={"MPIEXEC_TIMEOUT": "2"})
    assert done.returncode == 1
    assert "the 2 seconds of MPIEXEC_TIMEOUT" in done.stderr


@pytest.mark.parametrize("verb", [["run", "job.toml"], ["compare", "job.toml", "--arbiters", "bf"]])
@pytest.mark.parametrize("variables, names", [
    ({"PMI_RANK": "0", "PMI_SIZE": "4"}, "MPICH"), ({"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "4"}, "srun"),
    ({"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0"}, "OMPI_COMM_WORLD_SIZE=4")])
def test_R52_B20_a_launcher_that_rrfp_does_not_know_is_refused(rrfp, verb, variables, names):
    done = rrfp(*verb, environment=variables)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("rrfp: ") and names in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("place, where", [("start", "while it started"), ("shutdown", "after its work, while it left MPI")])
def test_B19_a_rank_that_exits_is_named_with_its_code(rrfp, place, where):
    if not HOLD.exists():
        pytest.skip(f"{HOLD} is not built")
    held = {"LD_PRELOAD": str(HOLD), "HOLD_AT": place, "HOLD_FOR": "0", "HOLD_SIGN": str(rrfp.folder),
            "HOLD_THEN": "3"}
    done = rrfp("run", "job.toml", *SHORT, environment=held)
    assert done.returncode == 1
    assert "rrfp: rank 3 (pid " in done.stderr
    assert f"exited with code 3 {where}" in done.stderr


def test_N1_a_comparison_names_the_rank_that_died(rrfp):
    process = subprocess.Popen(
        [PROGRAM, "compare", "job.toml", "--arbiters", "bf,fixed", "--set", "train.iterations=1000"],
        cwd=rrfp.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert "iteration 1/" in process.stdout.readline()
    killed = ranks_below(process.pid)[1]
    os.kill(killed, signal.SIGKILL)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 1
    assert f"rank 1 (pid {killed}, host {os.uname().nodename}) was ended by signal 9 (Killed) in iteration " in err
    assert "microbatch" in err


def test_R46_signals_ignored_at_the_start_stay_ignored(start):
    def ignore():
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTSTP):
            signal.signal(number, signal.SIG_IGN)

    run = start(ignore, iterations=8)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTSTP):
        run.process.send_signal(number)
    assert run.end() == (0, "")


def test_R47_N8_a_parent_that_ignores_sigchld_and_blocks_signals_changes_nothing(start):
    def prepare():
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGCHLD})

    run = start(prepare)
    run.process.send_signal(signal.SIGTERM)
    assert run.end() == (143, "")


def test_suspending_the_launcher_suspends_its_ranks(start):
    run = start()
    everybody = [run.process.pid, *run.ranks]
    run.process.send_signal(signal.SIGTSTP)
    assert eventually(lambda: all(state(pid) == "T" for pid in everybody), 10), list(map(state, everybody))
    run.process.send_signal(signal.SIGCONT)
    assert eventually(lambda: all(state(pid) != "T" for pid in everybody), 10), list(map(state, everybody))
    assert run.process.stdout.readline().startswith("iteration ")
    run.process.send_signal(signal.SIGTSTP)
    assert eventually(lambda: state(run.process.pid) == "T", 10)
    run.process.send_signal(signal.SIGHUP)  # as from a shell that exits
    run.process.send_signal(signal.SIGCONT)
    assert run.end() == (129, "")


def test_a_standard_error_that_nobody_reads_does_not_keep_the_job_from_ending(rrfp):
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with pytest.raises(BlockingIOError):
        while True:
            os.write(writing, b"x" * 4096)
    os.set_blocking(writing, True)
    process = subprocess.Popen(
        [PROGRAM, "run", "job.toml", *SHORT, "--set", "train.iterations=1000"], cwd=rrfp.folder,
        stdout=subprocess.PIPE, stderr=writing, text=True)
    os.close(writing)
    assert process.stdout.readline().startswith("iteration 1/")
    below = descendants(process.pid)
    os.kill(ranks_below(process.pid)[0], signal.SIGKILL)
    assert eventually(lambda: not alive(below), 20)
    process.terminate()  # it still has a sentence to say, and is told not to
    process.communicate(timeout=20)
    os.close(reading)
    assert process.returncode == 1
