"""Guards: a job starts wherever it can, and says in a line what it does without; where it cannot start, it says
so before the start, with what is there, what is wanted and the remedy, and exit code 1: room for its files, limits,
threads, cores. `rrfp doctor` says the same in the same place. RRFP_ALL_COMBINATIONS=1 adds the slow surroundings."""

import os
import pathlib

import pytest

from command import SHORT, sets
from namespaces import mounted, shell
from processes import eventually
from surroundings import doctor_says, is_refused, notes, runs_with_notes, slow


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
