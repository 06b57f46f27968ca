"""Guards: a plugin that cannot be used is refused before anything starts, by path, reason and remedy,
and no other arbiter runs in its name; one that works is used; one that never answers ends the job."""

import os
import pathlib

import pytest

from command import PROGRAM

PLUGINS = pathlib.Path(os.environ.get("RRFP_PLUGINS", PROGRAM.parents[1] / "lib/plugins"))


def words(plugin, arbiter="alternate"):
    return ["--set", f"schedule.plugin={plugin}", "--set", f"schedule.arbiter={arbiter}"]


@pytest.fixture(autouse=True)
def plugins_are_built():
    if not PLUGINS.exists():
        pytest.skip(f"{PLUGINS} is not built")


def text_file(folder):
    path = folder / "text.so"
    path.write_text("an arbiter, in words, and long enough to be a header of a library file")
    return path


@pytest.mark.parametrize("command", ["run", "simulate"])
@pytest.mark.parametrize(
    "plugin, arbiter, reasons",
    [
        ("no/such.so", "alternate", ["No such file", "give the path"]),
        (text_file, "alternate", ["invalid ELF header"]),
        ("broken_symbol.so", "own", ["a_function_that_is_nowhere", "links all it uses"]),
        ("broken_entry.so", "own", ["rrfp_plugin_entry", "RRFP_PLUGIN"]),
        ("broken_abi.so", "own", ["ABI 2", "build it against"]),
        ("arbiters.so", "alternatte", ["alternatte", "alternate"]),
    ],
    ids=["missing", "text", "symbol", "entry", "abi", "misspelt"],
)
def test_r17_is_refused_before_start(rrfp, command, plugin, arbiter, reasons):
    path = plugin(rrfp.folder) if callable(plugin) else PLUGINS / plugin
    done = rrfp(command, "job.toml", *words(path, arbiter))
    assert done.returncode == 2
    assert "iteration" not in done.stdout
    for reason in [*reasons, *([] if arbiter == "alternatte" else [str(path)])]:
        assert reason in done.stderr


def test_an_arbiter_of_a_plugin_runs(rrfp):
    report = rrfp.report("run", "job.toml", *words(PLUGINS / "arbiters.so"))
    assert report["job"]["schedule"]["arbiter"] == "alternate"
    assert len(report["iterations"]) == 3


def test_an_arbiter_of_a_plugin_is_compared_with_ours(rrfp):
    plugin = ["--set", f"schedule.plugin={PLUGINS / 'arbiters.so'}"]
    report = rrfp.report("compare", "job.toml", "--arbiters", "alternate,bf", *plugin)
    runs = report["runs"]
    assert [run["job"]["schedule"]["arbiter"] for run in runs] == ["alternate", "bf"]
    assert all(len(run["iterations"]) == 3 for run in runs)

    done = rrfp("compare", "job.toml", "--arbiters", "alternatte,bf", *plugin)
    assert done.returncode == 2 and done.stdout == ""
    assert "--arbiters alternatte,bf: unknown arbiter 'alternatte'" in done.stderr
    assert "did you mean alternate?" in done.stderr


SHORT = ["--set", "parallel.pipeline=1", "--set", "train.iterations=1", "--set",
         "model.forward_ms=1", "--set", "model.backward_ms=1", "--set", "schedule.limit=1",
         "--set", "train.microbatches=50", "--set", "watchdog.seconds=2"]


def test_r18_an_arbiter_that_waits_at_first_ends(rrfp):
    report = rrfp.report("run", "job.toml", *words(PLUGINS / "arbiters.so", "hesitant"), *SHORT)
    assert len(report["order"][0]) == 100


@pytest.mark.parametrize("command", ["run", "simulate"])
def test_r18_an_arbiter_that_always_waits_is_named(rrfp, command):
    path = PLUGINS / "arbiters.so"
    done = rrfp(command, "job.toml", *words(path, "stubborn"), *SHORT)
    assert done.returncode not in (0, 2)
    assert f"stubborn (plugin {path})" in done.stderr
    assert "0F0" in done.stderr


def test_an_arbiter_that_throws_is_named(rrfp):
    path = PLUGINS / "arbiters.so"
    done = rrfp("run", "job.toml", *words(path, "failing"))
    assert done.returncode not in (0, 2)
    assert f"failing (plugin {path})" in done.stderr and "out of ideas" in done.stderr


def test_one_that_is_given_and_not_named_is_refused(rrfp):
    done = rrfp("run", "job.toml", "--set", f"schedule.plugin={PLUGINS / 'arbiters.so'}")
    assert done.returncode == 2 and done.stdout == ""
    assert "schedule.arbiter" in done.stderr and "alternate or follow" in done.stderr


@pytest.mark.parametrize("command", ["run", "simulate"])
def test_one_that_ends_the_process_is_named(rrfp, command):
    for arbiter, how in [("crashing", "by signal SIGSEGV"), ("leaving", "which calls exit")]:
        done = rrfp(command, "job.toml", *words(PLUGINS / "arbiters.so", arbiter), *SHORT)
        assert done.returncode not in (0, 2)
        assert f"arbiter '{arbiter} (plugin " in done.stderr
        assert f"the process ends in choose, {how}" in done.stderr


@pytest.mark.parametrize("ranks", [1, 2])
def test_one_that_never_returns_is_named(rrfp, ranks):
    few = [*SHORT, "--set", f"parallel.pipeline={ranks}"]
    done = rrfp("run", "job.toml", *words(PLUGINS / "arbiters.so", "endless"), *few)
    assert done.returncode not in (0, 2)
    assert "arbiter 'endless (plugin " in done.stderr
    assert "has not returned from a call" in done.stderr
