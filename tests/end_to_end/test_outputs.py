"""Guards: what a command writes goes where the user named and nowhere else: never over one of its inputs or
another of its outputs, never into a file that is not its own, and where it cannot be written the command fails
and says so."""

import json
import os
import pathlib
import subprocess

import pytest
from command import PROGRAM, sets
from test_bad_input import refused

SMALL = sets("model.forward_ms=1", "model.backward_ms=2", "train.microbatches=2", "train.iterations=1",
             "parallel.pipeline=2")


@pytest.mark.parametrize("words, files", [
    (["simulate", "job.toml", "--json", "job.toml"], ["--json job.toml", "the job, job.toml"]),
    (["run", "job.toml", "--json", "./link.toml"], ["--json ./link.toml", "the job, job.toml"]),
    (["plan", "job.toml", "--json", "../{folder}/job.toml"], ["--json", "the job, job.toml"]),
    (["simulate", "job.toml", "--json", "a", "--timeline", "a"], ["--timeline a", "--json, a"]),
    (["simulate", "job.toml", "--durations", "d.csv", "--write-durations", "d.csv"],
     ["--write-durations d.csv", "--durations, d.csv"]),
    (["simulate", "job.toml", "--set", "schedule.hint=./h.csv", "--json", "h.csv"], ["--json h.csv", "schedule.hint"]),
    (["compare", "job.toml", "--arbiters", "bf", "--timeline", "job.toml"], ["--timeline job.toml", "the job"]),
    (["schedule", "h.csv", "--svg", "h.csv"], ["--svg h.csv", "the schedule, h.csv"]),
], ids=lambda words: words[0] if isinstance(words, list) else "")
def test_b25_an_output_over_another_file(rrfp, words, files):
    (rrfp.folder / "link.toml").symlink_to("job.toml")
    (rrfp.folder / "d.csv").write_text("none")
    rows = "".join(",".join(f"{s}{k}{m}" for m in range(16) for k in "FB") + "\n" for s in range(4))
    (rrfp.folder / "h.csv").write_text(rows)
    before = {path: path.read_bytes() for path in rrfp.folder.iterdir()}
    said = refused(rrfp(*[word.format(folder=rrfp.folder.name) for word in words]))
    assert "would be written over" in said
    assert all(file in said for file in files), said
    assert {path: path.read_bytes() for path in rrfp.folder.iterdir()} == before


def test_b25_an_output_over_the_text_or_a_manifest(gpt):
    text = gpt.folder / "book.txt"
    before = text.read_bytes()
    assert "over data.text" in refused(gpt("run", "job.toml", "--json", "book.txt"))
    assert text.read_bytes() == before
    words = ["--set", "output.checkpoint=saved", "--json", "saved/checkpoint.json"]
    (gpt.folder / "saved").mkdir()
    assert "the manifest of output.checkpoint" in refused(gpt("plan", "job.toml", *words))


def test_outputs_that_are_no_files_may_be_named_twice(rrfp):
    assert rrfp("simulate", "job.toml", "--json", "/dev/null", "--timeline", "/dev/null").returncode == 0


def test_b27_planted_links_and_files_are_left_alone(rrfp):
    (rrfp.folder / "secret").write_text("secret")
    (rrfp.folder / "report.json.part").symlink_to("secret")
    (rrfp.folder / "plan.json.part").write_text("mine")
    rrfp.report("simulate", "job.toml")
    assert rrfp("plan", "job.toml", "--quiet", "--json", "plan.json").returncode == 0
    assert (rrfp.folder / "secret").read_text() == "secret"
    assert (rrfp.folder / "plan.json.part").read_text() == "mine"
    assert sorted(path.name for path in rrfp.folder.iterdir()) == [
        "job.toml", "plan.json", "plan.json.part", "report.json", "report.json.part", "secret"]


@pytest.mark.parametrize("words", [
    ["plan", "job.toml"], ["simulate", "job.toml"], ["run", "job.toml", *SMALL], ["job-keys"], ["--help"],
    ["--version"], ["schedule", "1f1b", "--stages", "2", "--ranks", "2", "--microbatches", "2"], ["doctor"],
    ["compare", "job.toml", "--arbiters", "bf", *SMALL],
], ids=lambda words: words[0])
def test_r59_a_full_device_is_told(rrfp, words):
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, *words], cwd=rrfp.folder, stdout=full, stderr=subprocess.PIPE, text=True,
                              timeout=60)
    assert done.returncode == 1, done.stderr
    assert "standard output" in done.stderr and "No space left" in done.stderr


def test_r54_paths_that_are_no_utf8_are_written(rrfp):
    folder = pathlib.Path(os.fsdecode(os.fsencode(rrfp.folder) + b"/caf\xe9"))
    folder.mkdir()
    job = folder / "job.toml"
    job.write_text(rrfp.job.read_text())
    hint = folder / "h.csv"
    hint.write_text("".join(",".join(f"{s}{k}{m}" for m in range(2) for k in "FB") + "\n" for s in range(2)))
    words = [*SMALL, "--set", os.fsdecode(b"schedule.hint=" + os.fsencode(hint))]
    for command in (["plan", job], ["simulate", job], ["run", job], ["compare", job, "--arbiters", "bf,fb"]):
        report = folder / "report.json"
        done = rrfp(*command, *words, "--quiet", "--json", report)
        assert (done.returncode, done.stderr) == (0, ""), command
        json.loads(report.read_bytes().decode())
        report.unlink()


def test_a_trace_folder_with_files_of_others(rrfp):
    folder = rrfp.folder / "trace"
    folder.mkdir()
    (folder / "prof_file_alice_0").write_text("hers")
    words = refused(rrfp("run", "job.toml", "--trace", "trace"))
    assert "prof_file_alice_0" in words and "another program" in words
    assert (folder / "prof_file_alice_0").read_text() == "hers"


def test_n3_a_trace_folder_with_a_path_too_long_for_its_tools(rrfp):
    deep = rrfp.folder / ("d" * 100) / ("e" * 150)
    words = refused(rrfp("run", "job.toml", "--trace", deep))
    assert "--trace" in words and "shorter" in words
    assert not deep.exists()


@pytest.mark.parametrize("kilobytes, code", [(900, 2), (1100, 1)])
def test_b25_a_full_disk_under_a_trace_is_named(rrfp, kilobytes, code):
    """The folder is a small file system: too small at the start, or filled up during the run."""
    trace = rrfp.folder / "trace"
    trace.mkdir()
    fill = "true" if code == 2 else f"head -c 1040K /dev/zero > {trace}/other"
    script = (f"mount -t tmpfs -o size={kilobytes}k t {trace} || exit 77; "
              f"(sleep 0.6; {fill}) & '{PROGRAM}' run job.toml --quiet --trace {trace}; code=$?; wait; exit $code")
    done = subprocess.run(["unshare", "-rm", "bash", "-c", script], cwd=rrfp.folder, capture_output=True, text=True,
                          timeout=60)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("no mount namespaces here")
    assert done.returncode == code, done.stderr
    assert f"trace folder {trace}: its disk has " in done.stderr


def test_a_pipe_that_nobody_reads(rrfp):
    os.mkfifo(rrfp.folder / "fifo")
    done = rrfp("plan", "job.toml", "--json", "fifo", timeout=30)
    assert done.returncode != 0 and "nobody reads" in done.stderr


def test_what_only_the_launcher_has_open(rrfp):
    shell = f'"{PROGRAM}" run job.toml --json >(cat >/dev/null)'
    done = subprocess.run(["bash", "-c", shell], cwd=rrfp.folder, capture_output=True, text=True, timeout=60)
    assert "give the name of a file" in refused(done)


def test_compare_tells_runs_of_one_arbiter_apart(rrfp):
    report = rrfp.report("compare", "job.toml", "--arbiters", ",".join(["bf"] * 4), *SMALL)
    assert len(report["runs"]) == 4
