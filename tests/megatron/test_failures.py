"""Guards: an exception in a task ends every rank within seconds, with its type, its text and its place;
other Python threads and Ctrl-C go on working while an iteration runs.
"""

import re
import time

import pytest
from megatron_ranks import HERE, mpirun


@pytest.mark.parametrize(("kind", "microbatch", "word"), [
    ("F", 3, "forward"), ("B", 5, "backward"), ("W", 1, "weight gradient"),
])
def test_r16_a_python_exception_keeps_its_type_and_names_its_place(kind, microbatch, word):
    began = time.monotonic()
    code, output = mpirun(4, HERE / "plain_runner.py", "fail", kind, seconds=60)
    assert code != 0
    assert time.monotonic() - began < 30
    assert "ValueError: no such token" in output
    assert f"rank 2, stage 2, microbatch {microbatch}: {word} failed" in output


def test_r22_other_threads_go_on_while_tasks_and_a_policy_run():
    code, output = mpirun(2, HERE / "plain_runner.py", "tick", seconds=60)
    assert code == 0, output
    gaps = [float(gap) for gap in re.findall(r"longest gap (\S+)", output)]
    assert len(gaps) == 2
    assert max(gaps) < 0.5


def test_r22_ctrl_c_ends_an_iteration_and_the_job():
    code, output = mpirun(2, HERE / "plain_runner.py", "interrupt", seconds=60)
    assert code == 130
    assert float(re.search(r"interrupted after (\S+)", output)[1]) < 2
    assert "KeyboardInterrupt" in output


def failing(way):
    """(exit code, output, seconds from the failure to the end of all ranks) of a user's script."""
    script = "-m", "rrfp.megatron", "--set", "limit=4", HERE / "failing.py", way
    code, output = mpirun(2, *script, seconds=90)
    began = re.search(r"failing at (\S+)", output)
    return code, output, time.time() - float(began[1]) if began else None


@pytest.mark.parametrize(("way", "rank", "error"), [
    ("step", 1, "TokenError: no such token"),
    ("data", 0, "OSError: the disk is gone"),
])
def test_r16_a_script_catches_its_own_exception_and_all_ranks_end(way, rank, error):
    code, output, seconds = failing(way)
    assert code == 1, output
    assert seconds < 8
    place = f"rank {rank}, stage {rank}, microbatch 2: forward failed"
    assert re.search(f"caught {error} {place}", output), output
    assert f"rank {rank} failed in {rank}F2" in output
    assert f"rank {rank} ends the job: {error}" in output


def test_r22_ctrl_c_in_a_script_is_its_exit_code():
    code, output, seconds = failing("interrupt")
    assert code == 130, output
    assert seconds < 8
    assert "rank 1 ends the job: KeyboardInterrupt" in output


def test_r15_data_that_ends_early_is_named():
    code, output, _ = failing("short")
    assert code == 1
    assert "iteration 0 is kept" in output
    assert re.search(r"ended on rank \d at microbatch 2 of iteration 1", output), output
