"""Guards: a GPT over tensor groups learns what one process learns, with every protocol of agreement,
with chunks, split backward and replicas; the members of a group run the same tasks in the same
order; for one size of the group the bits depend on nothing else; what cannot be divided is refused
before anything starts."""

import pytest

from command import sets
from training_jobs import JITTER, learnt, losses

SMALL = ["--set", "train.iterations=3", "--set", "model.dropout=0.1"]


def layout(pipeline, tensor, *more):
    return sets(f"parallel.pipeline={pipeline}", f"parallel.tensor={tensor}", *more)


def groups(report, tensor):
    order = report["order"]
    return [order[i:i + tensor] for i in range(0, len(order), tensor)]


@pytest.fixture
def reference(gpt):
    return losses(gpt.report("run", "job.toml", *SMALL, *layout(1, 1)))


def test_tensor_groups_learn_what_one_process_learns(gpt, reference):
    bits = set()
    for more in (
        ["schedule.agreement=board"],
        ["schedule.agreement=allgather"],
        ["parallel.chunks=2"],
        ["schedule.split_weight=true"],
    ):
        report = gpt.report("run", "job.toml", *SMALL, *JITTER,
                            *layout(2, 2, "schedule.deterministic=true", *more))
        assert losses(report) == pytest.approx(reference, rel=1e-6), more
        for first, *others in groups(report, 2):
            assert first and all(other == first for other in others), more
        bits.add(learnt(report)[1])
    assert len(bits) == 1, "deterministic runs of one tensor size have the same bits"


def test_a_sequence_cut_over_the_group_changes_rounding_alone(gpt, reference):
    report = gpt.report("run", "job.toml", *SMALL,
                        *layout(2, 2, "parallel.sequence_parallel=true"))
    assert losses(report) == pytest.approx(reference, rel=1e-6)


def test_replicas_of_tensor_groups_learn_from_the_joined_batch(gpt, reference):
    report = gpt.report("run", "job.toml", *SMALL,
                        *layout(1, 2, "parallel.data=2", "train.microbatches=4"))
    assert losses(report) == pytest.approx(reference, rel=1e-6)
    assert len(report["ranks"]) == 4


@pytest.mark.parametrize("changes, names", [
    (["model.heads=1"], ["parallel.tensor = 2", "model.heads = 1"]),
    (["model.sequence=15", "parallel.sequence_parallel=true"], ["model.sequence = 15"]),
    (["schedule.agreement=allgather", "schedule.arbiter=critical-path"], ["board"]),
])
def test_what_a_group_cannot_do_is_refused(gpt, changes, names):
    done = gpt("run", "job.toml", *layout(1, 2, *changes))
    assert done.returncode == 2
    assert all(name in done.stderr for name in names), done.stderr
