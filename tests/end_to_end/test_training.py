"""Guards: what a run learns does not depend on how it was scheduled. Deterministic runs are bitwise
those of the fixed order, whatever the jitter; others agree up to rounding; every pipeline agrees
with one stage in one process; evaluation passes and interruptions leave no trace in the training."""

import json
import re
import signal
import subprocess

import pytest

from command import PROGRAM
from processes import alive, descendants, eventually
from training_jobs import DETERMINISTIC, JITTER, SPLIT, learnt, losses

FIXED = ["--set", "schedule.arbiter=fixed"]
READY = ["--set", "schedule.arbiter=bf"]


def test_the_loss_falls(gpt):
    first, *_, last = losses(gpt.report("run", "job.toml"))
    assert 5.0 < first < 6.2  # the entropy of 256 equally likely bytes is 5.55
    assert last < first - 0.5


def test_deterministic_runs_are_bitwise_the_fixed_order(gpt):
    reference = learnt(gpt.report("run", "job.toml", *FIXED))
    for seed in range(3):
        report = gpt.report("run", "job.toml", *READY, *DETERMINISTIC, *JITTER,
                            "--set", f"jitter.seed={seed}")
        assert learnt(report) == reference


def test_free_runs_agree_up_to_rounding(gpt):
    reference = losses(gpt.report("run", "job.toml", *FIXED))
    assert losses(gpt.report("run", "job.toml", *READY, *JITTER)) == pytest.approx(
        reference, rel=1e-5)


@pytest.mark.parametrize("change", [(), ("--set", "model.dropout=0.1"),
                                    ("--set", "model.recompute=true")])
def test_every_pipeline_learns_what_one_stage_learns(gpt, change):
    one = losses(gpt.report("run", "job.toml", "--set", "parallel.pipeline=1", *change))
    assert losses(gpt.report("run", "job.toml", *READY, *change)) == pytest.approx(one, rel=1e-6)


def test_bits_are_those_of_a_number_of_threads(gpt):
    """libtorch cuts sums over positions among its threads."""
    common = [*DETERMINISTIC, "--set", "model.layers=6", "--set", "model.dropout=0.5",
              "--set", "train.iterations=2"]
    wave = ["--set", "parallel.pipeline=2", "--set", "parallel.placement=wave",
            "--set", "parallel.chunks=3", *SPLIT]
    one = ["--set", "parallel.pipeline=1"]
    threads = ["--set", "parallel.threads=2"]
    reference = learnt(gpt.report("run", "job.toml", *common, *one, *threads))
    assert learnt(gpt.report("run", "job.toml", *common, *wave, *threads)) == reference
    single = learnt(gpt.report("run", "job.toml", *common, *one))
    assert single[0] == pytest.approx(reference[0], rel=1e-6)


def test_split_backwards_are_bitwise_the_unsplit_ones(gpt):
    reference = learnt(gpt.report("run", "job.toml", *FIXED))
    for schedule in [["--set", "schedule.arbiter=fixed"], ["--set", "schedule.arbiter=bfw"]]:
        report = gpt.report("run", "job.toml", *schedule, *SPLIT, *DETERMINISTIC)
        assert learnt(report) == reference
    uneven = ["--set", "model.layers_per_stage=[2, 1, 1, 0]"]
    assert gpt("run", "job.toml", *uneven).returncode == 2
    uneven = ["--set", "parallel.pipeline=2", "--set", "model.layers_per_stage=[1, 3]"]
    assert learnt(gpt.report("run", "job.toml", *uneven, *SPLIT, *DETERMINISTIC)) == reference


@pytest.mark.parametrize("layout", [["--set", "parallel.chunks=2"], SPLIT])
def test_replicas_learn_what_one_replica_learns_from_the_joined_batch(gpt, layout):
    joined = losses(gpt.report("run", "job.toml", "--set", "parallel.pipeline=1"))
    replicas = ["--set", "parallel.pipeline=2", "--set", "parallel.data=2",
                "--set", "train.microbatches=4", *layout]
    report = gpt.report("run", "job.toml", *replicas, *JITTER)
    assert losses(report)[0] == pytest.approx(joined[0], rel=1e-6)
    assert losses(report) == pytest.approx(joined, rel=1e-5)  # steps magnify rounding
    assert len(report["ranks"]) == len(report["order"]) == 4

    # Replicas whose orders differ reduce to the same bits as replicas that agree.
    calm = learnt(gpt.report("run", "job.toml", *replicas, *DETERMINISTIC))
    assert learnt(gpt.report("run", "job.toml", *replicas, *DETERMINISTIC, *JITTER)) == calm


def test_evaluation_leaves_the_training_alone(gpt):
    without = gpt.report("run", "job.toml", *DETERMINISTIC)
    with_it = gpt.report("run", "job.toml", *DETERMINISTIC, "--set", "train.evaluate_every=2",
                         "--set", "train.evaluation_microbatches=3")
    assert learnt(with_it) == learnt(without)
    assert len(with_it["evaluations"]) == 3


def test_an_interrupted_run_resumes_bitwise(gpt):
    whole = learnt(gpt.report("run", "job.toml", *DETERMINISTIC))
    saving = ["--set", "output.checkpoint=saved", "--set", "output.checkpoint_every=2"]
    slow = ["--set", "model.forward_ms=20", "--set", "model.backward_ms=20"]
    process = subprocess.Popen(
        [PROGRAM, "run", "job.toml", *DETERMINISTIC, *saving, *slow], cwd=gpt.folder,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    manifest = gpt.folder / "saved/checkpoint.json"
    assert eventually(manifest.exists, 60)
    below = descendants(process.pid)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert eventually(lambda: not alive(below), 10)

    done = json.loads(manifest.read_text())["iteration"]
    rest = gpt.report("run", "job.toml", *DETERMINISTIC, *saving, "--set", "output.resume=true")
    assert learnt(rest) == (whole[0][done:], whole[1])


def test_a_loss_that_is_not_a_number_ends_the_run(gpt):
    explode = ["--set", "train.learning_rate=1e30", "--set", "train.clip_norm=0"]
    done = gpt("run", "job.toml", *explode)
    assert done.returncode == 1
    assert "not finite" in done.stderr and "continue_on_nan" in done.stderr
    ended = re.findall(r"^iteration (\d+)/6 ", done.stdout, re.MULTILINE)
    at_fault = re.search(r"iteration (\d+)/6: the loss is", done.stderr)
    assert int(at_fault[1]) == int(ended[-1]) + 1  # counted as the progress lines count

    report = gpt.report("run", "job.toml", *explode, "--set", "train.continue_on_nan=true")
    assert len(report["iterations"]) == 6
    assert report["iterations"][-1]["loss"] is None


def test_a_damaged_checkpoint_starts_nothing(gpt):
    saving = ["--set", "output.checkpoint=saved", "--set", "train.iterations=1"]
    gpt.report("run", "job.toml", *saving)
    resume = ["run", "job.toml", *saving, "--set", "output.resume=true"]
    summary = gpt.report(*resume)["summary"]  # nothing is left to do
    assert summary["median_ms"] is None and summary["samples_per_second"] is None

    file = next((gpt.folder / "saved").glob("*/rank-2.safetensors"))
    file.write_bytes(file.read_bytes()[:-1])
    done = gpt(*resume)
    assert done.returncode == 2 and done.stdout == ""
    assert str(file) in done.stderr and "restore" in done.stderr


def test_a_checkpoint_of_another_model_is_refused(gpt):
    saving = ["--set", "output.checkpoint=saved"]
    gpt.report("run", "job.toml", *saving, "--set", "train.iterations=1")
    for change in ["model.hidden=64", "parallel.pipeline=2", "train.seed=1"]:
        done = gpt("run", "job.toml", *saving, "--set", "output.resume=true", "--set", change)
        assert done.returncode == 2
        assert "checkpoint" in done.stderr
