"""Guards: a job may end at any moment, and the one that resumes computes what the uninterrupted run
would have computed, bit by bit; it never goes on from anything but what its own ranks wrote, whole,
and for the same training; and no job destroys what another has kept."""

import json
import os
import random
import shutil
import signal
import subprocess
import time

import pytest

from command import PROGRAM, sets
from processes import alive, descendants, eventually
from training_jobs import DETERMINISTIC, learnt, losses

TWO = [*sets("parallel.pipeline=2", "model.layers=2", "train.microbatches=4", "model.dropout=0.1"),
       *DETERMINISTIC]
KEPT = sets("output.checkpoint=saved", "output.checkpoint_every=1")
RESUME = [*KEPT, *sets("output.resume=true")]


def saved(gpt):
    return gpt.folder / "saved"


def done(gpt):
    """The iterations of the checkpoint in force."""
    manifest = saved(gpt) / "checkpoint.json"
    return json.loads(manifest.read_text())["iteration"] if manifest.exists() else 0


def rank_file(gpt, rank):
    manifest = json.loads((saved(gpt) / "checkpoint.json").read_text())
    return saved(gpt) / manifest["folder"] / f"rank-{rank}.safetensors"


def start(gpt, *words):
    return subprocess.Popen([PROGRAM, "run", "job.toml", *words], cwd=gpt.folder,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_all(process):
    """The launcher and everything below it, at once: nobody is left to tidy up."""
    pids = [*descendants(process.pid), process.pid]
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait(timeout=20)
    assert eventually(lambda: not alive(pids), 20)


def killed_in_save(gpt, words, seed):
    """A run that is killed while it writes some later checkpoint, or soon after."""
    draw = random.Random(seed)
    target = done(gpt) + draw.randint(1, 3)
    delay = draw.choice([0, 0, 0.002, 0.01, 0.05])
    process = start(gpt, *words)
    marks = [saved(gpt) / f"iteration-{target}{again}/removable" for again in ("", "-2", "-3")]
    end = time.monotonic() + 60
    while process.poll() is None and not any(mark.exists() for mark in marks):
        assert time.monotonic() < end
        time.sleep(0.0005)
    time.sleep(delay)
    kill_all(process)


@pytest.mark.parametrize("seed, layout", [(1, []), (2, sets("parallel.tensor=2"))])
def test_random_kills_change_no_bit(gpt, seed, layout):
    words = [*TWO, *layout, *sets("train.iterations=8")]
    whole = learnt(gpt.report("run", "job.toml", *words))
    for kill in range(2):
        killed_in_save(gpt, [*words, *RESUME], seed * 10 + kill)
    before = done(gpt)
    rest = gpt.report("run", "job.toml", *words, *RESUME)
    assert learnt(rest) == (whole[0][before:], whole[1]), f"resumed after {before}"
    left = {path.name for path in saved(gpt).glob("[!.]*")}  # less a manifest's temporary file
    folder = rank_file(gpt, 0).parent.name
    assert left == {"checkpoint.json", "checkpoint.lock", folder}


@pytest.fixture
def two_iterations(gpt):
    """A job of four iterations that has done two, and another checkpoint after three."""
    ahead = sets("output.checkpoint=ahead", "train.iterations=3")
    constant = sets("train.min_learning_rate=1e-2")
    gpt.report("run", "job.toml", *TWO, *constant, *KEPT, *sets("train.iterations=2"))
    gpt.report("run", "job.toml", *TWO, *constant, *ahead)
    gpt.resume = lambda *more: gpt("run", "job.toml", *TWO, *constant, *RESUME,
                                   *sets("train.iterations=4"), *more)
    return gpt


def refused(completed, file, *words):
    assert completed.returncode == 2, (completed.returncode, completed.stderr)
    assert "iteration 3/" not in completed.stdout
    assert str(file) in completed.stderr, completed.stderr
    for word in words:
        assert word in completed.stderr, completed.stderr


def test_B3_B21_files_that_this_rank_did_not_write_for_it_are_refused(two_iterations):
    gpt = two_iterations
    first, second = rank_file(gpt, 0), rank_file(gpt, 1)
    whole = [first.read_bytes(), second.read_bytes()]

    first.write_bytes(whole[1])  # swapped
    second.write_bytes(whole[0])
    refused(gpt.resume(), first, "expected rank 0 of 2, found 1 of 2", "restore")
    second.write_bytes(whole[1])  # copied
    refused(gpt.resume(), first, "expected rank 0 of 2, found 1 of 2")
    shutil.copy(gpt.folder / "ahead/iteration-3/rank-0.safetensors", first)
    refused(gpt.resume(), first, "expected iteration 2, found 3")
    first.write_bytes(whole[0][:-4])
    refused(gpt.resume(), first, "cut short")
    first.unlink()
    refused(gpt.resume(), first, "missing")

    # What only reading all of it shows, at the first rank and at the last.
    for rank, file in enumerate((first, second)):
        first.write_bytes(whole[0])
        second.write_bytes(whole[1])
        damaged = bytearray(whole[rank])
        damaged[random.Random(rank).randrange(len(damaged) // 2, len(damaged))] ^= 1 << rank
        file.write_bytes(damaged)
        refused(gpt.resume(), file, "damaged", "restore", f"rank {rank} of 2")

    first.write_bytes(whole[0])
    second.write_bytes(whole[1])
    completed = gpt.resume()
    assert completed.returncode == 0, completed.stderr
    assert "2 of 4 iterations done" in completed.stdout and completed.stderr == ""


def test_R65_what_determines_the_training_is_kept_or_the_change_is_told(two_iterations):
    gpt = two_iterations
    for change, was in (("train.microbatch_size=3", "train.microbatch_size = 2, now 3"),
                        ("train.learning_rate=2e-2", "train.learning_rate = 0.01, now 0.02"),
                        ("model.dropout=0", "model.dropout = 0.1, now 0")):
        refused(gpt.resume(*sets(change)), saved(gpt) / "checkpoint.json", was, "resume_changed")
    book = gpt.folder / "book.txt"
    text = book.read_text()
    book.write_text(text[:-1] + "!")
    refused(gpt.resume(), saved(gpt) / "checkpoint.json", "data.text", "SHA-256")
    book.write_text(text)

    accepted = gpt.resume(*sets("model.dropout=0", "parallel.threads=2", "output.resume_changed=true"))
    assert accepted.returncode == 0, accepted.stderr
    assert "warning: the checkpoint was trained with model.dropout = 0.1, now 0" in accepted.stderr
    assert "parallel.threads = 1, now 2" in accepted.stderr


def test_R65_a_decay_is_not_stretched_unasked(gpt):
    gpt.report("run", "job.toml", *TWO, *KEPT, *sets("train.iterations=2"))
    longer = ["run", "job.toml", *TWO, *RESUME, *sets("train.iterations=3")]
    refused(gpt(*longer), saved(gpt) / "checkpoint.json", "train.iterations = 2, now 3")
    assert done(gpt) == 2


def test_B6_a_run_that_starts_anew_replaces_nothing(gpt):
    gpt.report("run", "job.toml", *TWO, *KEPT, *sets("train.iterations=1"))
    before = rank_file(gpt, 0).read_bytes()
    refused(gpt("run", "job.toml", *TWO, *KEPT), "saved", "a checkpoint of 1 iterations",
            "output.resume = true")
    assert rank_file(gpt, 0).read_bytes() == before
    assert gpt("plan", "job.toml", *TWO, *KEPT).returncode == 0  # which replaces nothing


def test_B9_two_jobs_on_one_folder(gpt):
    slow = sets("model.forward_ms=20", "model.backward_ms=20", "train.min_learning_rate=1e-2")
    first = start(gpt, *TWO, *RESUME, *slow, *sets("train.iterations=100"))
    try:
        assert eventually(lambda: done(gpt) > 0, 60)
        second = gpt("run", "job.toml", *TWO, *RESUME, *slow, *sets("train.iterations=100"))
        refused(second, "saved", "another job keeps its checkpoints here (pid ")
        assert first.poll() is None
    finally:
        kill_all(first)
    ended = done(gpt)  # and the lock went with its holder
    gpt.report("run", "job.toml", *TWO, *RESUME, *slow, *sets(f"train.iterations={ended + 1}"))
    assert done(gpt) == ended + 1


SLOW_DISK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int fsync(int file) {
    const char* rank = getenv("OMPI_COMM_WORLD_RANK");
    char link[64], path[4096] = {0};
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (rank && *rank == '0' && readlink(link, path, sizeof path - 1) > 0 &&
        strstr(path, "/saved") && !strstr(path, "/iteration-")) {
        usleep(1200000);
    }
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}
"""


def test_R51_a_manifest_that_is_slow_to_write_ends_no_job(gpt):
    """Nobody is within an iteration while rank 0 writes, and so nobody stands still in one."""
    (gpt.folder / "slow.c").write_text(SLOW_DISK)
    library = gpt.folder / "slow.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, gpt.folder / "slow.c", "-ldl"],
                   check=True, timeout=60)
    began = time.monotonic()
    completed = gpt("run", "job.toml", *TWO, *KEPT, *sets("train.iterations=2", "watchdog.seconds=1"),
                    environment={"LD_PRELOAD": str(library)})
    assert completed.returncode == 0, completed.stderr
    assert time.monotonic() - began > 4 * 1.2


def test_evaluations_read_the_same_microbatches_for_any_number_of_replicas(gpt):
    evaluate = sets("train.evaluate_every=1", "train.evaluation_microbatches=6",
                    "train.iterations=2", "model.dropout=0")
    one = gpt.report("run", "job.toml", *TWO, *evaluate)
    replicas = sets("parallel.pipeline=1", "parallel.data=2", "train.microbatches=2")
    two = gpt.report("run", "job.toml", *TWO, *evaluate, *replicas)
    assert losses(two) == pytest.approx(losses(one), rel=1e-5)
    assert two["evaluations"] == pytest.approx(one["evaluations"], rel=1e-5)
    odd = gpt("run", "job.toml", *TWO, *evaluate, *replicas,
              *sets("train.evaluation_microbatches=3"))
    assert odd.returncode == 2
    assert "train.evaluation_microbatches = 3" in odd.stderr and "replicas" in odd.stderr
