"""What a job says in surroundings that lack something."""

import os

import pytest

from command import SHORT

slow = pytest.mark.skipif("RRFP_ALL_COMBINATIONS" not in os.environ, reason="RRFP_ALL_COMBINATIONS=1 runs it")


def notes(done):
    return [line for line in done.stderr.splitlines() if line.startswith("rrfp: note: ")]


def runs_with_notes(rrfp, *wanted, words=SHORT, **options):
    """The job must end well and say these things, a line each, and nothing else."""
    done = rrfp("run", "job.toml", *words, **options)
    assert done.returncode == 0, done.stderr
    assert "median iteration" in done.stdout
    lines = done.stderr.splitlines()
    assert len(lines) == len(wanted) and notes(done) == lines, done.stderr
    for text in wanted:
        assert any(text in line for line in lines), done.stderr
    return done


def is_refused(rrfp, *wanted, verb=("run",), **options):
    done = rrfp(*verb, "job.toml", *SHORT, timeout=10, **options)
    assert done.returncode == 1 and done.stdout == "", done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    for text in ["rrfp: ", *wanted]:
        assert text in done.stderr


def doctor_says(rrfp, *wanted, code, **options):
    done = rrfp("doctor", **options)
    assert done.returncode == code, done.stdout + done.stderr
    for text in wanted:
        assert text in done.stdout
