"""Guards: what people who train pipelines ran into elsewhere does not happen here: few microbatches,
batches that do not divide, a mean taken twice, tied weights, dropout that depends on the order, data
that ends, more ranks than cores, resuming. Each case carries its R number."""

import json
import os
import pathlib
import subprocess

import pytest

from command import PROGRAM, sets
from processes import descendants, name
from training_jobs import DETERMINISTIC, JITTER, learnt, losses


@pytest.mark.parametrize("microbatches", [1, 3])
def test_R01_few_microbatches_finish_and_are_equal(gpt, microbatches):
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


def test_R02_a_batch_is_given_as_microbatches_and_never_cut(gpt):
    done = gpt("run", "job.toml", *sets("train.batch_size=8", "train.microbatches=3"))
    assert done.returncode == 2 and done.stdout == ""
    assert "train.batch_size = 8: unknown key" in done.stderr


TIED = [*sets("model.tied_embeddings=true", "train.iterations=3", "train.clip_norm=0"),
        *DETERMINISTIC]


def test_R07_tied_embeddings_are_one_weight_wherever_they_lie(gpt):
    one_rank = sets("parallel.pipeline=1")
    reference = learnt(gpt.report("run", "job.toml", *TIED, *one_rank))
    untied = gpt.report("run", "job.toml", *TIED, *one_rank, *sets("model.tied_embeddings=false"))
    assert losses(untied) != reference[0]
    for layout in (
        [*sets("parallel.pipeline=3", "model.layers_per_stage=[1, 2, 1]"), *JITTER],
        sets("parallel.pipeline=2", "parallel.placement=v", "schedule.split_weight=true"),
        sets("parallel.pipeline=2", "parallel.chunks=2"),
    ):
        assert learnt(gpt.report("run", "job.toml", *TIED, *layout)) == reference, layout
    for layout in (
        sets("parallel.pipeline=2", "parallel.tensor=2", "parallel.sequence_parallel=true"),
        sets("parallel.placement=v", "parallel.pipeline=2", "parallel.data=2",
             "train.microbatches=4"),
    ):
        report = gpt.report("run", "job.toml", *TIED, *layout)
        assert losses(report)[0] == pytest.approx(reference[0][0], rel=1e-6), layout
        assert losses(report) == pytest.approx(reference[0], rel=1e-5), layout


def test_R07_a_checkpoint_knows_whether_embeddings_are_tied(gpt):
    tied = [*TIED, *sets("parallel.pipeline=2", "train.min_learning_rate=1e-3")]
    whole = learnt(gpt.report("run", "job.toml", *tied))
    saving = [*tied, *sets("output.checkpoint=saved", "output.resume=true")]
    first = learnt(gpt.report("run", "job.toml", *saving, *sets("train.iterations=1")))
    rest = learnt(gpt.report("run", "job.toml", *saving))
    assert (first[0] + rest[0], rest[1]) == whole
    done = gpt("run", "job.toml", *saving, *sets("model.tied_embeddings=false"))
    assert done.returncode == 2
    assert "tied embeddings" in done.stderr


def test_R08_the_mean_over_microbatches_enters_once(gpt):
    """AdamW's step hides a factor on every gradient; their norm shows it."""
    microbatches = 6

    def norms(*texts):
        report = gpt.report("run", "job.toml", *sets("train.iterations=1", "train.clip_norm=0",
                                                     f"train.microbatches={microbatches}", *texts))
        return [iteration["gradient_norm"] for iteration in report["iterations"]]

    reference = norms("parallel.pipeline=1")
    for layout in (
        [],
        ["schedule.split_weight=true"],
        ["parallel.pipeline=2", "parallel.chunks=2"],
        ["parallel.pipeline=2", "parallel.data=2", f"train.microbatches={microbatches // 2}"],
        ["parallel.pipeline=2", "parallel.tensor=2"],
    ):
        assert norms(*layout) == pytest.approx(reference, rel=1e-5), layout


def test_R12_dropout_is_the_same_in_every_order(gpt):
    common = [*sets("model.dropout=0.1", "parallel.pipeline=2", "train.microbatches=6",
                    "train.iterations=2"), *DETERMINISTIC]
    results = [learnt(gpt.report("run", "job.toml", *common, *more)) for more in (
        sets("schedule.arbiter=fixed", "schedule.hint=gpipe"),
        sets("schedule.arbiter=fixed", "schedule.hint=1f1b", "model.recompute=true"),
        [*sets("schedule.arbiter=bf", "jitter.seed=1"), *JITTER],
        [*sets("schedule.arbiter=bf", "jitter.seed=2", "model.recompute=true"), *JITTER],
    )]
    assert all(result == results[0] for result in results)


def test_R15_data_that_makes_one_sample_lasts_as_long_as_the_job(gpt):
    book = gpt.folder / "book.txt"
    all_of_it = [*sets("data.validation_fraction=0", "train.iterations=4")]
    book.write_text("just one sample. ")  # 17 bytes: a sequence of 16 and its last target
    assert len(losses(gpt.report("run", "job.toml", *all_of_it))) == 4
    book.write_text("not one sample..")
    done = gpt("run", "job.toml", *all_of_it)
    assert done.returncode == 2 and done.stdout == ""
    assert str(book) in done.stderr and "16" in done.stderr


def processor_s(pid):
    """Of all threads that live; schedstat counts nanoseconds."""
    threads = pathlib.Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) * 1e-9


def test_R21_more_ranks_than_cores_start_and_sleep(rrfp):
    """Judged by processor time, which other programs do not lengthen."""
    cores = ",".join(map(str, sorted(os.sched_getaffinity(0))[:2]))
    process = subprocess.Popen(
        ["taskset", "--cpu-list", cores, PROGRAM, "run", "job.toml",
         *sets("parallel.pipeline=8", "train.iterations=7"), "--json", "report.json"],
        cwd=rrfp.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    used = {}
    for line in process.stdout:
        if line.startswith(("iteration 2/", "iteration 6/")):
            ranks = [pid for pid in descendants(process.pid) if name(pid) == "rrfp"]
            used[line.split()[1]] = {pid: processor_s(pid) for pid in ranks}
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors
    early, late = used["2/7"], used["6/7"]
    assert len(early) == 8
    ideal_s = 4 * (16 + 8 - 1) * 0.030
    for pid in early:
        assert late[pid] - early[pid] < 0.2 * ideal_s

    report = json.loads((rrfp.folder / "report.json").read_text())
    assert len(report["ranks"]) == 8


def test_R23_two_stops_change_no_bit(gpt):
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
