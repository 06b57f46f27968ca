"""Guards: a number that is too large for the machine, or for the type that holds it, is refused with the number
and the remedy before anything is done with it, and one that is not is right."""

import math

import pytest
from command import sets
from test_bad_input import refused


@pytest.mark.parametrize("overrides, said", [
    (["parallel.pipeline=4096", "parallel.tensor=4096", "parallel.data=4096"], "4096 pipeline x 4096"),
    (["parallel.pipeline=4096", "schedule.limit=1000000P-s"], "1000000 x 4096"),
    (["parallel.chunks=4096"], "parallel.chunks"),
    (["parallel.pipeline=4096", "train.microbatches=1000000"], "train.microbatches"),
    (["jitter.compute_cv=1.4e154"], "from 0 to 100"),
    (["jitter.microbatch_cv=1e300"], "from 0 to 100"),
    (["jitter.comm_cv=1e300"], "from 0 to 100"),
    (["jitter.comm_mean_ms=1e300"], "jitter.comm_mean_ms"),
    (["model.forward_ms=1.7e308"], "model.forward_ms"),
    (["model.stage_scale=[1e300, 1, 1, 1]"], "model.stage_scale"),
    (["watchdog.seconds=1e300"], "watchdog.seconds"),
    (["train.learning_rate=1e38"], "train.learning_rate"),
    (["train.epsilon=1e-300"], "train.epsilon"),
    (["train.weight_decay=1e39"], "train.weight_decay"),
    (["train.clip_norm=1e39"], "train.clip_norm"),
], ids=lambda value: value[-1] if isinstance(value, list) else "")
def test_numbers_beyond_reason(rrfp, overrides, said):
    words = refused(rrfp("simulate", "job.toml", *sets(*overrides), timeout=10))
    assert said in words


def test_a_simulation_of_more_ranks_than_fit_the_memory(rrfp):
    words = refused(rrfp("simulate", "job.toml", *sets("parallel.pipeline=4096", "train.microbatches=8"),
                         timeout=20))
    assert "parallel.pipeline = 4096" in words


def test_a_large_simulation_that_fits(rrfp):
    report = rrfp.report("simulate", "job.toml", *sets("parallel.pipeline=512", "train.microbatches=64"))
    assert report["summary"]["median_ms"] == pytest.approx((512 + 64 - 1) * 30, rel=0.2)


def test_b4_a_weight_part_above_the_backward(gpt):
    words = refused(gpt("simulate", "job.toml", *sets(
        "model.forward_ms=1", "model.backward_ms=2", "model.weight_ms=5", "schedule.split_weight=true")))
    assert "model.weight_ms = 5" in words and "model.backward_ms = 2" in words
    assert "model.weight_ms = 5" in refused(gpt("plan", "job.toml", *sets("model.weight_ms=5")))


def test_durations_near_the_largest_number(rrfp):
    rows = [f"{kind},{stage},{m},1e308" for kind in "FB" for stage in range(4) for m in range(16)]
    (rrfp.folder / "d.csv").write_text("\n".join(rows) + "\n")
    assert "ms 1e308" in refused(rrfp("simulate", "job.toml", "--durations", "d.csv"))


def test_the_widest_jitter_gives_numbers(rrfp):
    report = rrfp.report("simulate", "job.toml", *sets(
        "jitter.compute_cv=100", "jitter.microbatch_cv=100", "jitter.comm_mean_ms=1e9", "jitter.comm_cv=100",
        "model.forward_ms=1e9", "model.backward_ms=1e9"))
    assert all(math.isfinite(i["milliseconds"]) and i["milliseconds"] > 0 for i in report["iterations"])


def test_schedules_of_more_than_can_be_shown(rrfp):
    words = refused(rrfp("schedule", "1f1b", "--stages", "10000000", "--ranks", "10000000", "--microbatches", "1",
                         timeout=10))
    assert "--stages 10000000" in words
    words = refused(rrfp("schedule", "gpipe", "--stages", "5000", "--ranks", "1", "--microbatches", "1000",
                         timeout=10))
    assert "--stages 5000" in words
