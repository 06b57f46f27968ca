"""Invariant: a measurement's processes end with it, and ranks are told from other processes."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rrfp_bench import processes
from rrfp_bench.procfs import rank_processes, sample
from rrfp_bench.watch import span


def _alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_time_limit_ends_the_whole_group(tmp_path):
    script = f"sleep 60 & echo $! > {tmp_path}/pid; wait"
    with pytest.raises(processes.ProcessFailed, match="ran past 1 s"):
        processes.run(["sh", "-c", script], timeout_s=1)
    assert not _alive(int((tmp_path / "pid").read_text()))


def test_failure_carries_status_and_last_words():
    with pytest.raises(processes.ProcessFailed, match="ended with 3:\nno such thing"):
        processes.run(["sh", "-c", "echo no such thing >&2; exit 3"], timeout_s=10)


def test_output_is_returned():
    assert processes.run(["echo", "a", "b"], timeout_s=10) == "a b\n"


def _script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def _wait_until(condition):
    deadline = time.monotonic() + 10
    while not (value := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return value


def test_ranks_are_found_below_the_launcher(tmp_path):
    rank = _script(tmp_path / "rrfp", "read line")
    launcher = _script(
        tmp_path / "mpirun",
        f"exec 3<&0; for r in 0 1; do OMPI_COMM_WORLD_RANK=$r {rank} <&3 & done; sleep 60 & wait",
    )
    with processes.started([launcher], stdin=subprocess.PIPE) as process:
        ranks = _wait_until(lambda: len(found := rank_processes(process.pid)) == 2 and found)
        assert sorted(ranks) == [0, 1]
        assert all(_alive(pid) for pid in ranks.values())


def test_sample_counts_this_process():
    before = sample(os.getpid())
    sum(range(2_000_000))
    after = sample(os.getpid())
    assert after.processor_s > before.processor_s
    assert after.resident_kib > 1024 and after.at_s > before.at_s


def test_sample_of_an_ended_process_is_none():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert sample(process.pid) is None


def test_span_is_by_time():
    class At:
        def __init__(self, at_s):
            self.at_s = at_s

    samples = [At(second) for second in (10, 11, 12, 18, 20)]
    assert [each.at_s for each in span(samples, 0.1, 0.5)] == [11, 12]
