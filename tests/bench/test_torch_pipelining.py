"""Invariant: PyTorch's pipeline sleeps for the given durations, no less, and leaves nothing behind.

The reference is the longest path through the same durations, computed here.
"""

import contextlib
import importlib.util
from pathlib import Path

import numpy as np
import pytest
from peers import torch_pipelining
from peers.torch_job import TorchJob, iteration_ms
from rrfp_bench.durations import Durations, write_durations
from rrfp_bench.processes import ProcessFailed

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs PyTorch")


def _write(tmp_path, durations, name="durations.csv"):
    write_durations(tmp_path / name, durations)
    return tmp_path / name


def _1f1b(stages, stage, microbatches):
    warm_up = min(stages - stage - 1, microbatches)
    order = [("F", m) for m in range(warm_up)]
    for m in range(microbatches - warm_up):
        order += [("F", warm_up + m), ("B", m)]
    return order + [("B", m) for m in range(microbatches - warm_up, microbatches)]


def _makespan(durations):
    """Of 1F1B without overhead: repeated relaxation until nothing moves."""
    stages, microbatches = durations.stages, durations.microbatches
    end = {}
    while len(end) < 2 * stages * microbatches:
        for stage in range(stages):
            free = 0.0
            for kind, m in _1f1b(stages, stage, microbatches):
                last = stage == stages - 1
                source = {
                    "F": ("F", stage - 1, m) if stage else None,
                    "B": ("F", stage, m) if last else ("B", stage + 1, m),
                }[kind]
                if source is not None and source not in end:
                    break
                begin = max(free, end.get(source, 0.0))
                free = begin + durations.milliseconds[kind][stage, m]
                end[kind, stage, m] = free
    return max(end.values())


def _launched():
    """Processes of any run of PyTorch's pipeline."""
    pids = set()
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError, NotADirectoryError):
            if b"peers.torch_launcher" in (folder / "cmdline").read_bytes():
                pids.add(folder.name)
    return pids


@needs_torch
def test_iterations_last_at_least_the_longest_path(tmp_path):
    random = np.random.default_rng(7)
    iterations = [
        Durations({kind: random.uniform(1, 9, size=(2, 4)) for kind in ("F", "B")})
        for _ in range(3)
    ]
    files = [_write(tmp_path, each, f"{index}.csv") for index, each in enumerate(iterations)]
    measured = torch_pipelining.run(files, ranks=2, message_bytes=2048)
    assert len(measured) == 3
    for ms, durations in zip(measured, iterations, strict=True):
        assert ms >= _makespan(durations)


@needs_torch
def test_split_backward_sleeps_for_its_weight_gradient(tmp_path):
    durations = Durations.constant(4, 4, 1.0, 1.0, weight_ms=10.0)
    measured = torch_pipelining.run(
        [_write(tmp_path, durations)] * 2, ranks=2, message_bytes=64, schedule="zbv"
    )
    # Two stages a rank, four microbatches: 8 × (1 + 1 + 10) ms of work on each rank.
    assert min(measured) >= 96


@needs_torch
def test_failing_rank_ends_the_run_with_its_reason(tmp_path):
    before = _launched()
    few = _write(tmp_path, Durations.constant(2, 1, 1.0, 1.0))
    with pytest.raises(ProcessFailed, match="Number of microbatches"):
        torch_pipelining.run([few], ranks=2, message_bytes=2048)
    assert _launched() <= before


def test_iteration_is_from_rank_0s_start_to_the_last_end():
    times = [[[1_000_000, 5_000_000]], [[0, 9_000_000]], [[2_000_000, 8_000_000]]]
    assert iteration_ms(times) == [8.0]


def test_stages_of_a_rank():
    job = TorchJob("zbv", 4, 64, (), "")
    assert [job.stages_of(rank, 8) for rank in range(4)] == [[0, 7], [1, 6], [2, 5], [3, 4]]
    loop = TorchJob("interleaved-1f1b", 4, 64, (), "")
    assert loop.stages_of(1, 8) == [1, 5]


@pytest.mark.parametrize(
    ("options", "durations", "said"),
    [
        ({"ranks": 3}, Durations.constant(2, 4, 1, 1), "needs 3 stages; the durations have 2"),
        ({"message_bytes": 3}, Durations.constant(2, 4, 1, 1), "message_bytes 3"),
        ({"schedule": "gpipe"}, Durations.constant(2, 4, 1, 1), "unknown schedule 'gpipe'"),
        ({}, Durations.constant(2, 4, 1, 1, 1), "rows of kind W"),
        ({"schedule": "zbv"}, Durations.constant(4, 4, 1, 1), "needs rows of kind W"),
    ],
)
def test_durations_that_do_not_fit_are_refused(tmp_path, options, durations, said):
    chosen = {"ranks": 2, "message_bytes": 64, **options}
    with pytest.raises(ValueError, match=said):
        torch_pipelining.run([_write(tmp_path, durations)], **chosen)


def test_delayed_messages_are_refused(tmp_path):
    base = Durations.constant(2, 4, 1, 1)
    delayed = Durations({**base.milliseconds, "SEND_F": np.ones((2, 4))})
    with pytest.raises(ValueError, match="delays messages"):
        torch_pipelining.run([_write(tmp_path, delayed)], ranks=2, message_bytes=64)
