"""Guards: a limit in bytes bounds what is in flight, of timed stages and of trained ones; with a split
backward what waits for its weight gradient is counted, in entries and bytes, and within that bound."""

import pytest

from training_jobs import SPLIT

WIDE = ["--set", "jitter.compute_cv=1", "--set", "train.microbatches=8"]


def limited(rule):
    return ["--set", f'schedule.limit="{rule}"']


@pytest.mark.parametrize("command", ["run", "simulate"])
def test_bytes_bound_timed_stages(rrfp, command):
    report = rrfp.report(command, "job.toml", *WIDE, *limited("8KiB"), "--set",
                         "schedule.arbiter=f-priority", "--set", "model.forward_ms=2", "--set",
                         "model.backward_ms=4")
    assert report["job"]["schedule"]["limit"] == [2, 2, 2, 2]  # of 2 x 2048 bytes each
    for rank in report["ranks"]:
        assert rank["in_flight_high_water"] <= 2
        for ready in ("forward_ready", "backward_ready"):
            assert rank["buffers"][ready]["bytes_high_water"] <= 2 * 2048


@pytest.mark.parametrize("split", [[], SPLIT])
def test_bytes_bound_trained_stages(gpt, split):
    values = 2 * 16 * 32  # tokens x hidden
    # Of the last stage: a gradient, a layer, the head with its normalisation, the probabilities.
    most = 4 * (values + (20 + 3 if split else 16 + 2) * values + 2 * 16 * 256)
    report = gpt.report("run", "job.toml", *split, *limited(f"{2 * most}B"), "--set",
                        "schedule.arbiter=f-priority", "--set", "train.iterations=2")
    limits = report["job"]["schedule"]["limit"]
    assert limits[3] == 2
    for limit, rank in zip(limits, report["ranks"]):
        held = rank["held_for_weights"]
        assert held["high_water"] <= rank["in_flight_high_water"] <= limit
        assert held["bytes_high_water"] <= 2 * most
        assert (held["bytes_high_water"] > 0) == (held["high_water"] > 0) == bool(split)


def test_a_microbatch_that_bytes_do_not_hold_is_refused(gpt):
    done = gpt("run", "job.toml", *limited("1KiB"))
    assert done.returncode == 2 and done.stdout == ""
    assert "1KiB" in done.stderr and "pipeline rank 0" in done.stderr
