"""Guards: a job is read, checked and planned once, by one process, and that is what its ranks run,
whatever happens to the files afterwards; `rrfp plan` prints it."""

import json
import os
import subprocess
import time

from command import PROGRAM


def planned(rrfp, *words):
    file = rrfp.folder / "plan.json"
    done = rrfp("plan", "job.toml", "--json", file, *words)
    assert done.returncode == 0, done.stderr
    return json.loads(file.read_text()), done.stdout


def test_a_plan_says_what_a_report_says(rrfp):
    words = ["--set", "schedule.limit=P-s", "--set", "train.iterations=1"]
    plan, text = planned(rrfp, *words)
    report = rrfp.report("run", "job.toml", *words)
    assert plan["job"] == report["job"]
    schedule = plan["plan"]["schedule"]
    assert schedule["arbiter"] == report["job"]["schedule"]["arbiter"] == "tide"
    assert schedule["limits"] == report["job"]["schedule"]["limit"] == [4, 3, 2, 1]
    assert schedule["hint"] == report["job"]["schedule"]["hint"] == "1f1b"
    assert plan["plan"]["version"] == report["version"]
    for rank, order in enumerate(schedule["order"]):
        assert sorted(order.split()) == sorted(report["order"][rank])
    assert plan["hash"] in text and "tide" in text


def test_a_fixed_order_is_the_plans(rrfp):
    words = ["--set", "schedule.arbiter=fixed", "--set", "train.iterations=1"]
    plan, _ = planned(rrfp, *words)
    report = rrfp.report("run", "job.toml", *words)
    assert [order.split() for order in plan["plan"]["schedule"]["order"]] == report["order"]


def test_the_hash_follows_what_is_decided(rrfp):
    first, _ = planned(rrfp)
    assert planned(rrfp)[0]["hash"] == first["hash"]
    for change in ("schedule.limit=3", "jitter.seed=7", "parallel.data=2", "schedule.hint=gpipe"):
        assert planned(rrfp, "--set", change)[0]["hash"] != first["hash"], change


def test_bad_input_has_no_plan(rrfp):
    done = rrfp("plan", "job.toml", "--set", "schedule.limit=2P")
    assert done.returncode == 2 and "schedule.limit" in done.stderr and done.stdout == ""


def test_a_job_edited_after_the_launch_runs_as_it_was_checked(rrfp):
    report = rrfp.folder / "report.json"
    with subprocess.Popen(
        [PROGRAM, "run", "job.toml", "--json", report, "--quiet"], cwd=rrfp.folder
    ) as run:
        deadline = time.monotonic() + 30
        while not ranks_below(run.pid) and time.monotonic() < deadline:
            time.sleep(0.002)
        rrfp.write("train.microbatches = 'none'")
        assert run.wait(60) == 0
    assert json.loads(report.read_text())["job"]["train"]["microbatches"] == 16


def ranks_below(pid):
    """Whether the launcher `pid` has a child: mpirun, which starts the ranks."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            return children.read().split()
    except FileNotFoundError:
        return []


def test_a_job_may_come_through_a_pipe(rrfp):
    read, write = os.pipe()
    with os.fdopen(write, "w") as stream:
        stream.write(rrfp.job.read_text())
    done = subprocess.run(
        [PROGRAM, "run", f"/dev/fd/{read}", "--set", "train.iterations=1", "--quiet"],
        pass_fds=[read], cwd=rrfp.folder, capture_output=True, text=True, timeout=60,
    )
    os.close(read)
    assert done.returncode == 0, done.stderr


def test_a_text_edited_after_the_launch_is_named(gpt):  # noqa: F811
    text = next(gpt.folder.glob("*.txt"))
    with subprocess.Popen(
        [PROGRAM, "run", "job.toml", "--quiet"], cwd=gpt.folder, stderr=subprocess.PIPE, text=True
    ) as run:
        deadline = time.monotonic() + 30
        while not ranks_below(run.pid) and time.monotonic() < deadline:
            time.sleep(0.002)
        text.write_text(text.read_text() + "more")
        _, said = run.communicate(timeout=60)
    assert run.returncode == 1
    assert "has changed since the job was checked" in said


def test_under_mpirun_one_rank_reads_and_one_message_comes(rrfp):
    mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]
    joined = rrfp.report("run", "job.toml", "--set", "train.iterations=1", launcher=[*mpirun, "4"])
    assert len(joined["ranks"]) == 4
    wrong = rrfp("run", "job.toml", "--set", "train.seeed=1", launcher=[*mpirun, "4"])
    assert wrong.returncode == 2
    assert wrong.stderr.count("did you mean train.seed?") == 1
    small = rrfp("run", "job.toml", launcher=[*mpirun, "2"])
    assert small.returncode == 2
    assert small.stderr.count("started under MPI with 2 ranks") == 1
