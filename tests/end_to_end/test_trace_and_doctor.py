"""Guards: a traced run leaves one trace with every message, and the doctor says what there is."""

import shlex

from command import SHORT, sets
from training_jobs import GPT, book


def test_a_traced_run_leaves_a_merged_trace(rrfp):
    done = rrfp("run", "job.toml", *SHORT, "--set", "train.iterations=1", "--trace", "trace")
    assert done.returncode == 0, done.stderr
    # Three hops, forward and backward, of eight microbatches.
    assert "trace/paje.trace (48 messages)" in done.stdout
    assert (rrfp.folder / "trace/paje.trace").stat().st_size > 0


def broken_lines(trace):
    """Lines of a Pajé file that have not as many fields as the definition of their event says."""
    fields, open_event, broken = {}, None, []
    for line in trace.read_text().splitlines():
        words = shlex.split(line.removeprefix("%"))
        if line.startswith("%"):
            if words[0] == "EventDef":
                open_event, fields[words[2]] = words[2], 0
            elif words[0] != "EndEventDef":
                fields[open_event] += 1
        elif words and not line.startswith("#") and len(words) != 1 + fields[words[0]]:
            broken.append(line)
    return broken


def test_n2_every_line_of_a_models_trace_has_the_fields_of_its_event(rrfp):
    rrfp.write(GPT)
    (rrfp.folder / "book.txt").write_text(book())
    settings = sets("parallel.pipeline=1", "parallel.chunks=2", "parallel.data=2", "schedule.hint=interleaved-1f1b")
    done = rrfp("run", "job.toml", *settings, "--set", "train.iterations=1", "--trace", "trace")
    assert done.returncode == 0, done.stderr
    trace = rrfp.folder / "trace/paje.trace"
    assert all(name in trace.read_text() for name in ("chunk_end", "optimizer"))
    assert broken_lines(trace) == []


def test_merging_again_gives_the_same_and_a_missing_rank_is_named(rrfp):
    rrfp("run", "job.toml", *SHORT, "--set", "train.iterations=1", "--trace", "trace")
    assert "4 ranks" in rrfp("trace", "trace").stdout
    next((rrfp.folder / "trace").glob("prof_file_*_2")).unlink()
    done = rrfp("trace", "trace")
    assert done.returncode == 1 and "2" in done.stderr


def test_no_folder_is_bad_input(rrfp):
    assert rrfp("trace", "nowhere").returncode == 2


def test_a_folder_without_traces_is_bad_input(rrfp):
    done = rrfp("trace", ".")
    assert done.returncode == 2
    assert done.stderr.startswith("rrfp: ") and "prof_file_" in done.stderr


def test_a_comparison_has_a_trace_an_arbiter(rrfp):
    done = rrfp("compare", "job.toml", *SHORT, "--set", "train.iterations=1",
                "--arbiters", "fixed,bf", "--trace", "traces")
    assert done.returncode == 0, done.stderr
    for arbiter in ["fixed", "bf"]:
        assert (rrfp.folder / "traces" / arbiter / "paje.trace").exists()


def test_the_doctor_finds_this_machine_well(rrfp):
    done = rrfp("doctor")
    assert done.returncode == 0, done.stdout
    for fact in ["StarPU", "MPI", "libtorch", "mpirun"]:
        assert fact in done.stdout
