"""Guards: what a job is started with changes neither its work nor its end: no home, variables that contradict,
closed streams, ignored signals, no right to read other processes. What it does without is said in a line. Nothing
is written into the home, nothing listens but mpirun, and nothing is left behind, whoever is killed.
RRFP_ALL_COMBINATIONS=1 adds the slow surroundings."""

import os
import pathlib
import signal
import subprocess

import pytest

from command import PROGRAM, SHORT, sets
from namespaces import listening, shell, without_reading_of_processes
from processes import alive, descendants, eventually, name
from surroundings import doctor_says, is_refused, notes, runs_with_notes, slow

SHM = pathlib.Path("/dev/shm")


def run_folder(process):
    """The folder of a run: mpirun holds its lock."""
    held = set()
    for pid in descendants(process.pid):
        for descriptor in pathlib.Path(f"/proc/{pid}/fd").iterdir() if name(pid) == "mpirun" else []:
            if descriptor.is_symlink() and os.readlink(descriptor).endswith("/in-use"):
                held.add(pathlib.Path(os.readlink(descriptor)).parent)
    (folder,) = held
    return folder


# --- the home, and what StarPU reads


@pytest.mark.parametrize("home", ["/proc", pytest.param(None, marks=slow)])
def test_R64_a_home_is_not_needed(rrfp, home):
    launcher = shell("unset HOME") if home is None else ()
    runs_with_notes(rrfp, launcher=launcher, environment={"HOME": home or ""})


def test_R64_nothing_is_written_into_the_home_or_the_temporary_folder(rrfp):
    for place in ("home", "temporary", "session"):
        (rrfp.folder / place).mkdir()
    places = {"HOME": str(rrfp.folder / "home"), "TMPDIR": str(rrfp.folder / "temporary")}
    for launcher in ((), ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "4",
                          "--mca", "orte_tmpdir_base", str(rrfp.folder / "session")]):
        runs_with_notes(rrfp, environment=places, launcher=launcher)
        assert not list((rrfp.folder / "home").iterdir()) and not list((rrfp.folder / "temporary").iterdir())


CONTRADICTING = {
    "STARPU_BACKOFF_MIN": "1000000000", "STARPU_NCPU": "x", "STARPU_MAIN_THREAD_BIND": "1",
    "STARPU_WATCHDOG_TIMEOUT": "1000", "STARPU_WATCHDOG_CRASH": "1", "STARPU_SCHED": "random",
    "STARPU_LIMIT_MAX_SUBMITTED_TASKS": "1", "STARPU_SILENT": "x", "STARPU_TRACE_BUFFER_SIZE": "-1",
    "STARPU_HOME": "/nowhere", "STARPU_PERF_MODEL_DIR": "/nowhere",
}


def test_B22_variables_of_starpu_that_stall_or_abort_are_ignored_and_named(rrfp):
    done = runs_with_notes(rrfp, "STARPU_BACKOFF_MIN, ", environment=CONTRADICTING)
    for variable in CONTRADICTING:
        assert (variable in done.stderr) == (not variable.endswith(("_HOME", "_DIR")))
    assert notes(rrfp("run", "job.toml", *SHORT, "--quiet", environment=CONTRADICTING)) == []


@slow
@pytest.mark.parametrize("variable", sorted(CONTRADICTING))
def test_B22_under_the_users_own_mpirun(rrfp, variable):
    done = rrfp("run", "job.toml", *SHORT, environment={variable: CONTRADICTING[variable]}, launcher=[
        "mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "4"])
    assert done.returncode == 0, done.stderr


# --- messages between ranks


def test_R48_where_processes_may_not_read_each_other_messages_are_copied_twice(rrfp):
    forbidden = without_reading_of_processes()
    runs_with_notes(rrfp, "Single-copy transfers (CMA): not available (Operation not permitted)", launcher=forbidden,
                    words=[*SHORT, *sets("model.message_bytes=100000")])
    doctor_says(rrfp, "warn  Single-copy", "ptrace_scope", launcher=forbidden, code=0)


@slow
def test_R48_under_the_users_own_mpirun(rrfp):
    runs_with_notes(rrfp, "Single-copy transfers (CMA)", launcher=[
        *without_reading_of_processes(), "mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
        "-n", "4"], words=[*SHORT, *sets("model.message_bytes=100000")])


def test_a_setting_that_keeps_messages_out_of_memory_is_told(rrfp):
    runs_with_notes(rrfp, "btl = ^vader keeps Open MPI from using its memory", words=[*SHORT, *sets(
        "train.iterations=1")], environment={"OMPI_MCA_btl": "^vader"})


def test_settings_that_leave_no_way_from_rank_to_rank_are_refused(rrfp):
    is_refused(rrfp, "btl = self leaves Open MPI no way", environment={"OMPI_MCA_btl": "self"})


def started(rrfp, *words, **options):
    process = subprocess.Popen([PROGRAM, "run", "job.toml", *words, *sets("train.iterations=1000")], cwd=rrfp.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    assert process.stdout.readline().startswith("iteration 1/"), process.communicate(timeout=30)
    return process


def test_B28_no_rank_listens_to_the_network(rrfp):
    process = started(rrfp)
    try:
        below = descendants(process.pid)
        ranks = [pid for pid in below if name(pid) == "rrfp"]
        assert len(ranks) == 4
        assert [listening(pid) for pid in ranks] == [[]] * 4
        # Open MPI's daemon cannot do without; it was two sockets more for each rank.
        assert sum(len(listening(pid)) for pid in below) <= 2
    finally:
        process.terminate()
        process.communicate(timeout=30)


# --- how the process was started


def test_closed_streams_cost_nothing(rrfp):
    done = rrfp("run", "job.toml", *SHORT, "--json", "report.json", launcher=shell(redirections="<&- >&- 2>&-"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (rrfp.folder / "report.json").read_text().startswith("{")
    assert rrfp("run", "nowhere.toml", launcher=shell(redirections="<&- >&- 2>&-")).returncode == 2


def test_signals_ignored_by_the_parent_change_nothing(rrfp):
    runs_with_notes(rrfp, launcher=shell("trap '' CHLD HUP"))


@slow
def test_the_doctor_is_not_misled_by_ignored_signals(rrfp):
    doctor_says(rrfp, "ok    A rank starts", launcher=shell("trap '' CHLD HUP"), code=0)


# --- what is left


def test_what_killed_launchers_leave_the_next_run_removes_and_nothing_else(rrfp):
    other = SHM / "rrfp-run-none"
    other.mkdir(exist_ok=True)
    living = started(rrfp)
    try:
        process = started(rrfp)
        below = descendants(process.pid)
        left = run_folder(process)
        for pid in [process.pid, *[pid for pid in below if name(pid) == "mpirun"]]:
            os.kill(pid, signal.SIGKILL)
        process.communicate(timeout=30)
        assert eventually(lambda: not alive(below), 20)
        assert left.exists()
        doctor_says(rrfp, "warn  Left by killed jobs", str(left), code=0)
        runs_with_notes(rrfp)
        assert not left.exists() and run_folder(living).exists() and other.exists()
        used = run_folder(living)
    finally:
        living.terminate()
        living.communicate(timeout=30)
        other.rmdir()
    assert not used.exists()


def test_mpirun_killed_leaves_nothing(rrfp):
    process = started(rrfp)
    below = descendants(process.pid)
    folder = run_folder(process)
    os.kill(next(pid for pid in below if name(pid) == "mpirun"), signal.SIGKILL)
    process.communicate(timeout=30)
    assert process.returncode not in (0, 2)
    assert eventually(lambda: not alive(below), 20)
    assert not folder.exists()


def test_the_doctor_finds_nothing_amiss_here(rrfp):
    done = rrfp("doctor")
    assert done.returncode == 0
    for fact in ["Shared memory", "Single-copy", "STARPU_* variables", "Threads", "Open files", "Left by killed jobs"]:
        assert fact in done.stdout
