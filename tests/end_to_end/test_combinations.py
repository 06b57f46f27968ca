"""Guards: whatever is combined, a GPT learns what one rank alone learns. Every pair of an arbiter, a
placement, the split, tensor groups, replicas, an admission, an agreement and determinism occurs in one
of at most 30 runs. Deterministic runs of one tensor and data size have the same bits, and those without
either are bitwise one rank's. RRFP_ALL_COMBINATIONS=1 runs all of them."""

import itertools
import os
import random

import pytest

from command import sets
from training_jobs import learnt, losses

JOB = """\
[model]
layers = 4
hidden = 16
heads = 2
sequence = 8
dropout = 0.1

[data]
text = "book.txt"

[parallel]
pipeline = 2

[train]
microbatch_size = 1
iterations = 2
learning_rate = 1e-2

[jitter]
compute_cv = 1.0
comm_mean_ms = 1
"""
MICROBATCHES = 4  # of all replicas

FACTORS = {
    "schedule.arbiter": ["bf", "fb", "b-priority", "f-priority", "bfw", "tide", "tide-w",
                         "critical-path", "order", "fixed"],
    "placement": ["loop", "interleaved", "v"],
    "schedule.split_weight": ["false", "true"],
    "parallel.tensor": ["1", "2"],
    "parallel.data": ["1", "2"],
    "schedule.admission": ["drain", "window", "graded"],
    "schedule.agreement": ["board", "allgather"],
    "schedule.deterministic": ["true", "false"],
}
PLACEMENTS = {
    "loop": ["parallel.chunks=1"],
    "interleaved": ["parallel.chunks=2"],
    "v": ["parallel.placement=v"],
}


def allowed(combination):
    """What is refused is guarded elsewhere, over all combinations."""
    if combination["schedule.arbiter"] == "tide-w":
        return combination["schedule.split_weight"] == "true"
    chooses_locally = combination["schedule.arbiter"] == "critical-path"
    grouped = combination["parallel.tensor"] == "2"
    return not (chooses_locally and grouped and combination["schedule.agreement"] == "allgather")


def ranks(combination):
    return 2 * int(combination["parallel.tensor"]) * int(combination["parallel.data"])


def pairs(combination):
    return set(itertools.combinations(combination.items(), 2))


def everything():
    rows = (dict(zip(FACTORS, values)) for values in itertools.product(*FACTORS.values()))
    return [row for row in rows if allowed(row)]


def pairwise(rows, seed=2):
    """Few of `rows` in which every pair of `rows` occurs: each time the row with the most new pairs,
    among equals the one on the fewest ranks."""
    order = random.Random(seed).sample(rows, len(rows))
    missing = set().union(*map(pairs, rows))
    chosen = []
    while missing:
        best = max(order, key=lambda row: (len(pairs(row) & missing), -ranks(row)))
        missing -= pairs(best)
        chosen.append(best)
    return chosen


def chosen():
    rows = everything()
    return rows if os.environ.get("RRFP_ALL_COMBINATIONS") == "1" else pairwise(rows)


def words(combination):
    return sets(*PLACEMENTS[combination["placement"]],
                f"train.microbatches={MICROBATCHES // int(combination['parallel.data'])}",
                *(f"{key}={value}" for key, value in combination.items() if key != "placement"))


def title(combination):
    return "-".join(combination.values())


@pytest.fixture
def gpt(rrfp):
    rrfp.write(JOB)
    (rrfp.folder / "book.txt").write_text("It was a dark and stormy night. " * 400)
    return rrfp


def reference(gpt):
    return learnt(gpt.report("run", "job.toml", "--set", "parallel.pipeline=1", "--set",
                             f"train.microbatches={MICROBATCHES}", "--set",
                             "jitter.compute_cv=0", "--set", "schedule.deterministic=true"))


BITS = {}  # of (tensor, data): the parameters of the first deterministic run


@pytest.mark.parametrize("combination", chosen(), ids=title)
def test_a_combination_learns_what_one_rank_learns(gpt, combination):
    if not BITS:
        BITS["losses"], BITS["1", "1"] = reference(gpt)
    report = gpt.report("run", "job.toml", *words(combination))
    assert losses(report) == pytest.approx(BITS["losses"], rel=1e-6)
    assert len(report["ranks"]) == ranks(combination)
    if combination["schedule.deterministic"] == "true":
        size = combination["parallel.tensor"], combination["parallel.data"]
        assert report["summary"]["parameters_sha256"] == BITS.setdefault(
            size, report["summary"]["parameters_sha256"])


def test_the_cover_is_small_and_whole():
    rows = everything()
    cover = pairwise(rows)
    assert len(cover) <= 30
    assert set().union(*map(pairs, cover)) == set().union(*map(pairs, rows))
