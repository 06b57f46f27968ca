"""Guards: a run that is slower than the fixed order of its shape says so, and with `guard` goes on in that order
with the same losses; one that is faster stays as it is."""

from training_jobs import learnt

SLOW = """\
[model]
kind = "synthetic"
forward_ms = 4
backward_ms = 8

[parallel]
pipeline = 4

[schedule]
arbiter = "b-priority"
limit = 4

[train]
microbatches = 12
iterations = 6

[jitter]
compute_cv = 0.5
"""


def fixed_order(rrfp):
    return rrfp.report("run", "job.toml", "--set", "schedule.arbiter=fixed", "--set", "schedule.limit=4")["order"]


def test_a_slower_order_is_told_with_the_key_to_set(rrfp):
    rrfp.write(SLOW)
    done = rrfp("run", "job.toml", "--json", "report.json")
    assert done.returncode == 0, done.stderr
    assert "arbiter b-priority, admission" in done.stdout
    assert "in fixed order; set schedule.arbiter" in done.stdout


def test_guard_goes_on_in_fixed_order(rrfp):
    rrfp.write(SLOW)
    report = rrfp.report("run", "job.toml", "--set", "schedule.guard=true")
    replay = report["replay"]
    assert replay["switched"] and replay["iterations"] == 3
    assert replay["fixed_ms"] < replay["chosen_ms"]
    assert report["order"] == fixed_order(rrfp)


def test_guard_leaves_a_faster_order_alone(rrfp):
    rrfp.write(SLOW)
    report = rrfp.report(
        "run", "job.toml", "--set", "schedule.guard=true", "--set", "schedule.arbiter=bf", "--set", "schedule.limit=8"
    )
    assert report["replay"]["switched"] is False
    assert report["replay"]["chosen_ms"] < report["replay"]["fixed_ms"]


def test_a_switch_changes_no_bit(gpt):
    words = ["--set", "schedule.deterministic=true", "--set", "jitter.compute_cv=1.0"]
    slow = ["--set", "schedule.arbiter=b-priority", "--set", "schedule.limit=4", "--set", "model.forward_ms=4"]
    slow += ["--set", "model.backward_ms=8"]
    guarded = gpt.report("run", "job.toml", *words, *slow, "--set", "schedule.guard=true")
    assert guarded["replay"] is not None
    assert learnt(guarded) == learnt(gpt.report("run", "job.toml", *words, "--set", "schedule.arbiter=fixed"))
