"""Guards: bad input ends with 2 before anything has started, and the message names file, line, key,
value and remedy."""

import pytest

GPT = "[data]\ntext = 'book.txt'\n"


def refused(done):
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert done.stdout == ""
    assert all(line.startswith("rrfp: ") for line in done.stderr.splitlines())
    return done.stderr


@pytest.fixture
def gpt(rrfp):
    rrfp.write(GPT)
    (rrfp.folder / "book.txt").write_text("It was a dark and stormy night. " * 400)
    return rrfp


@pytest.mark.parametrize("command", ["run", "simulate"])
def test_a_fixed_list_beyond_a_given_limit(rrfp, command):
    words = refused(rrfp(command, "job.toml", "--set", "schedule.arbiter=fixed",
                         "--set", "schedule.limit=2"))
    assert "--set: schedule.limit = 2" in words
    assert "rank 0" in words and "4 microbatches" in words


def test_an_unknown_arbiter_lists_the_known_ones(rrfp):
    words = refused(rrfp("run", "job.toml", "--set", "schedule.arbiter=readiness"))
    for arbiter in ["bf", "fb", "b-priority", "f-priority", "order", "fixed"]:
        assert arbiter in words


def test_an_unknown_arbiter_of_a_comparison_starts_nothing(rrfp):
    words = refused(rrfp("compare", "job.toml", "--arbiters", "fixed,readiness"))
    assert "--arbiters fixed,readiness: unknown arbiter 'readiness'" in words
    assert "b-priority" in words and "--set" not in words


@pytest.mark.parametrize("names", ["bf,", ",bf", "bf,,fb", ",", ""])
def test_an_empty_name_of_a_comparison_starts_nothing(rrfp, names):
    words = refused(rrfp("compare", "job.toml", "--arbiters", names))
    assert f"--arbiters {names}: an empty name" in words


def test_an_unknown_key_names_line_and_nearest_key(rrfp):
    words = refused(rrfp.write("[train]\n\nmicrobatchs = 4\n")("run", "job.toml"))
    assert words == ("rrfp: job.toml: line 3: train.microbatchs = 4: unknown key; did you mean "
                     "train.microbatches?\n")


def test_layers_that_do_not_divide(gpt):
    words = refused(gpt.write(GPT + "[model]\nlayers = 5\n[parallel]\npipeline = 4\n")
                    ("run", "job.toml"))
    assert "job.toml: line 4: model.layers = 5" in words and "multiple of 4" in words


@pytest.mark.parametrize("content", [None, b"", b"\x00\x01\x02\xff" * 4096],
                         ids=["missing", "empty", "binary"])
def test_a_text_that_is_none(gpt, content):
    book = gpt.folder / "book.txt"
    book.unlink()
    if content is not None:
        book.write_bytes(content)
    words = refused(gpt("run", "job.toml"))
    assert "job.toml: line 2: data.text = 'book.txt'" in words and str(book) in words


@pytest.mark.parametrize("option", ["--json", "--timeline"])
@pytest.mark.parametrize("place", ["missing/file", "job.toml/file", "/proc/file", "."])
def test_a_file_that_cannot_be_written(rrfp, option, place):
    words = refused(rrfp("run", "job.toml", option, place))
    assert f"{option} {place}: " in words


def test_a_folder_that_cannot_be_made(rrfp):
    assert "--trace job.toml/trace" in refused(rrfp("run", "job.toml", "--trace", "job.toml/trace"))


def test_a_checkpoint_folder_that_cannot_be_made(gpt):
    words = refused(gpt("run", "job.toml", "--set", "output.checkpoint=/proc/checkpoints"))
    assert "--set: output.checkpoint" in words


@pytest.mark.parametrize("words", [
    [],
    ["ruin", "job.toml"],
    ["run"],
    ["run", "missing.toml"],
    ["run", "."],
    ["run", "job.toml", "--sett", "a.b=1"],
    ["compare", "job.toml"],
    ["simulate", "job.toml", "--iteration", "0"],
    ["simulate", "job.toml", "--write-durations", "missing/file"],
    ["simulate", "job.toml", "--durations", "missing.csv"],
    ["simulate", "job.toml", "--trace", "folder"],
    ["schedule", "1f1b", "--stages", "4", "--ranks", "2", "--microbatches", "4"],
    ["schedule", "2f2b", "--stages", "4", "--ranks", "4", "--microbatches", "4"],
], ids=" ".join)
def test_a_command_line_that_makes_no_sense(rrfp, words):
    refused(rrfp(*words))


def test_a_simulation_needs_durations(gpt):
    assert "model.forward_ms" in refused(gpt("simulate", "job.toml"))


def test_a_world_of_the_wrong_size(rrfp):
    done = rrfp("run", "job.toml", launcher=[
        "mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--quiet",
        "-n", "3"])
    assert done.returncode == 2
    assert done.stderr.count("rrfp: ") == 1, done.stderr
    assert "3 ranks" in done.stderr and "mpirun -n 4" in done.stderr
