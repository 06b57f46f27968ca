"""Guards: a job starts wherever it can, and says in a line what it does without; where it cannot start, it says
so before the start, with what the machine lacks and the remedy, and exit code 1. `rrfp doctor` says the same in
the same place. Nothing is written into the home, nothing listens but mpirun, nothing is left behind.
RRFP_ALL_COMBINATIONS=1 adds the slow surroundings."""

import os
import pathlib
import signal
import subprocess

import pytest

from command import PROGRAM, SHORT, sets
from namespaces import listening, mounted, shell, without_reading_of_processes
from processes import alive, descendants, eventually, name

slow = pytest.mark.skipif("RRFP_ALL_COMBINATIONS" not in os.environ, reason="RRFP_ALL_COMBINATIONS=1 runs it")
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


def notes(done):
    return [line for line in done.stderr.splitlines() if line.startswith("rrfp: note: ")]


def runs_with_notes(rrfp, *wanted, words=SHORT, **options):
    """The job must end well and say these things, a line each, and nothing else."""
    done = rrfp("run", "job.toml", *words, **options)
    assert done.returncode == 0, done.stderr
    assert "median iteration" in done.stdout
    lines = done.stderr.splitlines()
    assert len(lines) == len(wanted) and notes(done) == lines, done.stderr
    for text in wanted:
        assert any(text in line for line in lines), done.stderr
    return done


def is_refused(rrfp, *wanted, verb=("run",), **options):
    done = rrfp(*verb, "job.toml", *SHORT, timeout=10, **options)
    assert done.returncode == 1 and done.stdout == "", done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    for text in ["rrfp: ", *wanted]:
        assert text in done.stderr


def doctor_says(rrfp, *wanted, code, **options):
    done = rrfp("doctor", **options)
    assert done.returncode == code, done.stdout + done.stderr
    for text in wanted:
        assert text in done.stdout


# --- the home, and what StarPU reads


@pytest.mark.parametrize("home", ["/proc", pytest.param(None, marks=slow)])
def test_R64_a_home_is_not_needed(rrfp, home):
    launcher = shell("unset HOME") if home is None else ()
    runs_with_notes(rrfp, launcher=launcher, environment={"HOME": home or ""})


def test_R64_nothing_is_written_into_the_home_or_the_temporary_folder(rrfp):
    for place in ("home", "temporary"):
        (rrfp.folder / place).mkdir()
    places = {"HOME": str(rrfp.folder / "home"), "TMPDIR": str(rrfp.folder / "temporary")}
    for launcher in ((), ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "4",
                          "--mca", "orte_tmpdir_base", "/dev/shm"]):
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


# --- room


def test_R49_a_small_dev_shm_is_done_without(rrfp):
    small = mounted(shm="1m")
    runs_with_notes(rrfp, "/dev/shm has 1.0 MiB free, and 4 ranks want 26.5 MiB", launcher=small)
    doctor_says(rrfp, "warn  Shared memory", "--shm-size", launcher=small, code=0)


@slow
def test_R49_under_the_users_own_mpirun_there_need_not_be_room_for_all(rrfp):
    runs_with_notes(rrfp, launcher=[*mounted(shm="12m"), "mpirun", "--allow-run-as-root", "--oversubscribe",
                                    "--bind-to", "none", "-n", "4"])


@slow
def test_R50_the_temporary_folder_need_not_be_good(rrfp):
    runs_with_notes(rrfp, environment={"TMPDIR": str(rrfp.folder / "nowhere")})


@slow
@pytest.mark.parametrize("folder", ["missing", "/proc", "/mnt", "long"])
@pytest.mark.parametrize("verb", [("run",), ("compare", "--arbiters", "fixed,bf")])
def test_R50_no_command_needs_a_good_temporary_folder(rrfp, folder, verb):
    if folder == "missing":
        folder = rrfp.folder / folder
    elif folder == "long":
        folder = rrfp.folder / "/".join(["x" * 100] * 5)
        folder.mkdir(parents=True)
    done = rrfp(*verb, "job.toml", *SHORT, environment={"TMPDIR": str(folder)}, launcher=mounted(mnt="full"))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("size", ["64k", "1m", "full"])
@pytest.mark.parametrize("verb", [("run",), ("compare", "--arbiters", "fixed,bf")])
def test_R49_R50_no_room_at_all_is_told_before_the_start(rrfp, size, verb):
    is_refused(rrfp, "/dev/shm has ", "/mnt has ", "free, and 4 ranks want 26.5 MiB", "--shm-size", "TMPDIR", verb=verb,
               launcher=mounted(shm=size, mnt=size), environment={"TMPDIR": "/mnt"})


@pytest.mark.parametrize("options, wanted", [
    ("64m,ro", "/dev/shm cannot be written: Read-only file system"),
    ("64m,nr_inodes=20", "more files, and 4 ranks want 192"),
])
def test_a_place_that_takes_no_files_is_none(rrfp, options, wanted):
    is_refused(rrfp, wanted, "/mnt ", launcher=mounted(shm=options, mnt=options), environment={"TMPDIR": "/mnt"})


def test_R49_a_dev_shm_that_fills_up_later_hurts_nobody(rrfp):
    """The job has taken its memory by its first iteration: what others fill then is not its own."""
    script = """
        "$@" > told & job=$!
        for look in $(seq 400); do grep -q "^iteration 1/" told && break; sleep 0.05; done
        dd if=/dev/zero of=/dev/shm/filler bs=64k 2>/dev/null
        wait $job
    """
    done = rrfp("run", "job.toml", *SHORT, *sets("train.iterations=60", "model.message_bytes=100000"),
                launcher=[*mounted(shm="40m"), "sh", "-c", script, "sh"])
    assert (done.returncode, done.stderr) == (0, "")
    assert "iteration 60/60" in (rrfp.folder / "told").read_text()


# --- limits


@pytest.mark.parametrize("limit, wanted", [
    ("ulimit -n 24", "Open files: limited to 24, and the job wants 64"),
    ("ulimit -s 64", "Stack: limited to 64 KiB, and the job wants 1.0 MiB"),
    ("ulimit -f 1000", "File size: limited to "),
])
def test_low_limits_are_told_with_what_the_job_wants(rrfp, limit, wanted):
    is_refused(rrfp, wanted, "ulimit -", launcher=shell(limit))


def test_limits_that_the_job_may_raise_it_raises(rrfp):
    runs_with_notes(rrfp, launcher=shell("ulimit -S -n 24; ulimit -S -s 64"))


@slow
def test_a_low_limit_of_address_space_is_told(rrfp):
    done = rrfp("run", "job.toml", *SHORT, launcher=shell("ulimit -v 1700000"))
    assert any("Address space: limited to 1660.2 MiB" in line for line in notes(done)), done.stderr


@pytest.fixture
def few_threads():
    group = pathlib.Path("/sys/fs/cgroup/pids") / f"rrfp-test-{os.getpid()}"
    try:
        group.mkdir()
        (group / "pids.max").write_text("30")
    except OSError:
        pytest.skip("control groups cannot be made here")
    yield shell(f"echo $$ > {group}/cgroup.procs")
    assert eventually(lambda: not (group / "cgroup.procs").read_text(), 10)
    group.rmdir()


def test_B22_too_few_threads_are_told(rrfp, few_threads):
    is_refused(rrfp, "Threads: ", "pids.max is 30", "4 ranks want 36", "--pids-limit", launcher=few_threads)
    doctor_says(rrfp, "FAIL  Threads", launcher=few_threads, code=1)


# --- crowds


def test_B25_threads_that_outnumber_cores_sleep_while_they_wait(gpt):
    done = gpt("run", "job.toml", *sets("parallel.threads=8", "train.iterations=2"), timeout=50)
    assert done.returncode == 0, done.stderr
    assert "parallel.threads = 8 on 4 ranks makes 32 threads" in done.stderr or os.cpu_count() >= 32


@slow
def test_U9_a_crowd_of_ranks_is_told(rrfp):
    ranks = 8 * os.cpu_count() + 1
    if ranks > 17:
        pytest.skip(f"{ranks} ranks take too long to start for a test")
    runs_with_notes(rrfp, f"{ranks} ranks share {os.cpu_count()} cores",
                    words=[*SHORT, *sets(f"parallel.pipeline={ranks}", "train.iterations=1")])


@slow
def test_spinning_threads_that_outnumber_cores_are_told(rrfp):
    if os.cpu_count() >= 4:
        pytest.skip("each of four ranks has a core to spin on")
    runs_with_notes(rrfp, 'schedule.waiting = "spin" keeps 4 threads polling',
                    words=[*SHORT, *sets("schedule.waiting=spin")])


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
