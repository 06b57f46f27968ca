"""Guards: a file that is not what it should be (a pipe that nobody writes to, a device, a folder, a name or a
size beyond reason) ends with 2, path and remedy before anything has started, whoever names it; and bad bytes in
one cost neither the machine nor a screen full of text."""

import os
import subprocess
import threading

import pytest
from command import PROGRAM, SYNTHETIC
from test_bad_input import refused

NAMES = {"fifo": "is a pipe", "/dev/zero": "is a device", "folder": "is a folder",
         "n" * 300: "File name too long", "loop": "Too many levels", "missing": "No such file"}


@pytest.fixture
def odd(gpt):
    os.mkfifo(gpt.folder / "fifo")
    (gpt.folder / "folder").mkdir()
    (gpt.folder / "loop").symlink_to("loop")
    return gpt


def option(kind, name):
    """The words of a command that reads `name` as a file of this kind."""
    path = name if name.startswith("/") else f"./{name}"
    return {
        "job": ["plan", path],
        "text": ["plan", "job.toml", "--set", f"data.text={path}"],
        "hint": ["plan", "job.toml", "--set", f"schedule.hint={path}"],
        "plugin": ["plan", "job.toml", "--set", f"schedule.plugin={path}"],
        "plugin of a comparison": ["compare", "job.toml", "--arbiters", "bf", "--set", f"schedule.plugin={path}"],
        "schedule": ["schedule", path, "--check"],
        "durations": ["simulate", "job.toml", "--durations", path],
    }[kind]


KINDS = ["job", "text", "hint", "plugin", "plugin of a comparison", "schedule", "durations"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:10])
def test_b15_what_is_no_file(odd, kind, name):
    if (kind, name) == ("job", "fifo"):
        return  # a job may come through a pipe
    words = refused(odd(*option(kind, name), timeout=5))
    assert NAMES[name] in words
    if len(name) < 100:
        assert name in words
    assert "; give" in words


@pytest.mark.parametrize("kind", KINDS)
def test_b15_no_permission(odd, kind):
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    (odd.folder / "closed").touch(0o000)
    assert "Permission denied" in refused(odd(*option(kind, "closed")))


def test_b15_a_size_beyond_reason(odd):
    with open(odd.folder / "sparse", "wb") as file:
        file.truncate(1 << 40)
    for kind in KINDS:
        assert "1099511627776 bytes, more than" in refused(odd(*option(kind, "sparse"), timeout=5))


@pytest.mark.parametrize("manifest", ["fifo", "folder", "/dev/zero", "loop"])
def test_b15_a_manifest_that_is_no_file(odd, manifest):
    (odd.folder / "saved").mkdir()
    target = manifest if manifest.startswith("/") else odd.folder / manifest
    (odd.folder / "saved/checkpoint.json").symlink_to(target)
    words = refused(odd("run", "job.toml", "--set", "output.checkpoint=saved", "--set", "output.resume=true",
                        timeout=5))
    assert "checkpoint.json" in words


def test_r53_a_job_comes_through_a_pipe_once(rrfp):
    done = subprocess.run(["bash", "-c", f'"{PROGRAM}" run --quiet --json report.json <(cat job.toml)'],
                          cwd=rrfp.folder, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert (rrfp.folder / "report.json").exists()
    done = subprocess.run([PROGRAM, "plan", "/dev/stdin", "--quiet"], cwd=rrfp.folder, input=SYNTHETIC,
                          capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_r53_paths_in_a_job_from_a_pipe_start_at_the_current_folder(gpt):
    job = gpt.job.read_text()
    gpt.job.unlink()
    os.mkfifo(gpt.job)
    writer = threading.Thread(target=lambda: gpt.job.write_text(job))
    writer.start()
    done = gpt("plan", "job.toml", "--quiet")
    writer.join()
    assert (done.returncode, done.stderr) == (0, "")


def test_an_empty_job(rrfp):
    assert "is empty" in refused(rrfp.write("")("plan", "job.toml"))


@pytest.mark.parametrize("text", [
    "a" + ".a" * 50_000 + " = 1\n",
    "[a" + ".a" * 50_000 + "]\n",
    "x = { a" + ".a" * 50_000 + " = 1 }\n",
    '"a"' + '."a"' * 50_000 + " = 1\n",
    "x = " + "[" * 50_000 + "]" * 50_000 + "\n",
    "x = " + "{a=" * 50_000 + "1" + "}" * 50_000 + "\n",
    "k" * 1_000_000 + " = 1\n",
    "[train]\n" + "k" * 1_000_000 + " = 1\n",
    "[model]\nkind = '" + "k" * 1_000_000 + "'\n",
    "".join(f"key_number_{i} = {i}\n" for i in range(30_000)),
    "[parallel]\nplacement = [" + "0," * 300_000 + "0]\n",
    "[model]\nkind = 'synthetic'\nforward_ms = 1\nbackward_ms = 2\n[parallel]\npipeline = 4096\nplacement = ["
    + ",".join(str(i % 4096) for i in range(12_288)) + "]\n[train]\nmicrobatches = 1\n",
], ids=["dots", "header", "inline", "quoted", "lists", "tables", "key", "unknown", "word", "keys", "zeros", "list"])
def test_b25_a_job_that_is_too_much(rrfp, text):
    done = rrfp.write(text)("plan", "job.toml", "--quiet", timeout=20)
    assert done.returncode in (0, 2), (done.returncode, done.stderr[-200:])
    assert len(done.stderr) < 30_000


@pytest.mark.parametrize("override", [
    "parallel.pipeline" + ".a" * 20_000 + "=1",
    "parallel.pipeline=" + "[" * 50_000,
    "parallel.pipeline={a" + ".a" * 40_000 + "=1}",
    "k" * 100_000 + ".k=1",
    "k" * 100_000,
], ids=["dots", "lists", "table", "section", "word"])
def test_b25_an_override_that_is_too_much(rrfp, override):
    words = refused(rrfp("plan", "job.toml", "--set", override, timeout=10))
    assert len(words) < 10_000


def test_b25_a_manifest_nested_without_end(gpt):
    (gpt.folder / "saved").mkdir()
    (gpt.folder / "saved/checkpoint.json").write_text('{"format": ' + "[" * 100_000 + "]" * 100_000 + "}")
    words = refused(gpt("run", "job.toml", "--set", "output.checkpoint=saved", "--set", "output.resume=true"))
    assert "checkpoint.json" in words and len(words) < 10_000


@pytest.mark.parametrize("table", [
    "0F0,9999F0\n" + ",".join(f"0F{i}" for i in range(9_999)) + "\n",
    "," * 500_000 + "\n",
    "\n" * 500_000 + "0F0\n",
    ",".join(f"{i}X{i}" for i in range(100_000)) + "\n",
    "x" * 1_000_000 + "\n",
    "".join(f"{i}B{i}\n" for i in range(40_000)),
], ids=["sparse", "blank", "rows", "cells", "cell", "waits"])
def test_a_schedule_that_is_too_much(rrfp, table):
    (rrfp.folder / "table.csv").write_text(table)
    words = refused(rrfp("schedule", "table.csv", "--check", timeout=10))
    assert len(words) < 60_000
