"""Guards: what people who train pipelines ran into elsewhere does not happen here: few microbatches,
dropout that depends on the order, resuming. Each case carries its R number."""

import pytest

from test_training import DETERMINISTIC, JITTER, gpt, learnt, losses  # noqa: F401 (gpt is a fixture)


def sets(*texts):
    return [word for text in texts for word in ("--set", text)]


@pytest.mark.parametrize("microbatches", [1, 2, 3, 6])
def test_R01_few_microbatches_finish_and_are_equal(gpt, microbatches):  # noqa: F811
    small = sets(f"train.microbatches={microbatches}", "train.iterations=1")
    reference = losses(gpt.report("run", "job.toml", *small, *sets("parallel.pipeline=1")))
    for schedule in (
        ["schedule.arbiter=fixed", "schedule.hint=gpipe"],
        ["schedule.arbiter=fixed", "schedule.hint=1f1b"],
        ["schedule.arbiter=fixed", "schedule.hint=zb-h1", "schedule.split_weight=true"],
        ["schedule.arbiter=bf"],
        ["parallel.pipeline=2", "parallel.chunks=2", "schedule.arbiter=fixed"],
    ):
        report = gpt.report("run", "job.toml", *small, *sets(*schedule))
        assert losses(report) == pytest.approx(reference, rel=1e-6), schedule


def test_R12_dropout_is_the_same_in_every_order(gpt):  # noqa: F811
    common = [*sets("model.dropout=0.1", "parallel.pipeline=2", "train.microbatches=6",
                    "train.iterations=2"), *DETERMINISTIC]
    results = [learnt(gpt.report("run", "job.toml", *common, *more)) for more in (
        sets("schedule.arbiter=fixed", "schedule.hint=gpipe"),
        sets("schedule.arbiter=fixed", "schedule.hint=1f1b", "model.recompute=true"),
        [*sets("schedule.arbiter=bf", "jitter.seed=1"), *JITTER],
        [*sets("schedule.arbiter=bf", "jitter.seed=2", "model.recompute=true"), *JITTER],
    )]
    assert all(result == results[0] for result in results)


def test_R23_two_stops_change_no_bit(gpt):  # noqa: F811
    common = [*sets("model.dropout=0.1", "train.min_learning_rate=1e-2"), *DETERMINISTIC]
    whole = learnt(gpt.report("run", "job.toml", *common, *sets("train.iterations=9")))
    saving = sets("output.checkpoint=saved", "output.resume=true")
    parts = [learnt(gpt.report("run", "job.toml", *common, *saving,
                               *sets(f"train.iterations={end}"))) for end in (3, 6, 9)]
    assert [loss for part, _ in parts for loss in part] == whole[0]
    assert parts[-1][1] == whole[1]

    done = gpt("run", "job.toml", *common, *saving, *sets("parallel.pipeline=2"))
    assert done.returncode == 2
    assert "pipeline = 4" in done.stderr and "pipeline = 2" in done.stderr
