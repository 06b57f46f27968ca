"""Guards: `rrfp simulate` agrees with evaluations of its own durations written here independently."""

import csv

import pytest


def one_f_one_b(stage, stages, microbatches):
    """Fixed 1F1B of one stage: warm-up, then a forward and a backward in turn, then the rest."""
    warm_up = min(stages - stage, microbatches)
    order = [("F", m) for m in range(warm_up)]
    for m in range(microbatches):
        order.append(("B", m))
        if warm_up + m < microbatches:
            order.append(("F", warm_up + m))
    return order


def longest_path(durations, stages, microbatches):
    """The end of the last task when every stage runs its list in order."""
    end = {}

    def ready(kind, stage, m):
        """When its inputs are there; None while that is not known."""
        if kind == "F":
            source = ("F", stage - 1, m) if stage else None
            send = durations.get(("SEND_F", stage - 1, m), 0)
        elif stage == stages - 1:
            source, send = ("F", stage, m), 0
        else:
            source, send = ("B", stage + 1, m), durations.get(("SEND_B", stage + 1, m), 0)
        if source is None:
            return 0
        return end[source] + send if source in end else None

    orders = [one_f_one_b(s, stages, microbatches) for s in range(stages)]
    clock = [0.0] * stages
    while any(orders):
        for stage, order in enumerate(orders):
            while order:
                kind, m = order[0]
                begin = ready(kind, stage, m)
                if begin is None:
                    break
                clock[stage] = max(clock[stage], begin) + durations[kind, stage, m]
                end[kind, stage, m] = clock[stage]
                order.pop(0)
    return max(clock)


def read(file):
    with open(file, newline="") as text:
        rows = [row for row in csv.reader(text) if row[0] != "kind"]
    return {(kind, int(stage), int(m)): float(ms) for kind, stage, m, ms in rows}


def test_the_closed_form(rrfp):
    report = rrfp.report("simulate", "job.toml", "--set", "schedule.arbiter=fixed")
    assert report["summary"]["median_ms"] == pytest.approx(570, abs=1e-9)
    assert [rank["in_flight_high_water"] for rank in report["ranks"]] == [4, 3, 2, 1]
    assert report["job"]["schedule"]["limit"] == [4, 3, 2, 1]
    for stage, actions in enumerate(report["order"]):
        assert actions == [f"{stage}{kind}{m}" for kind, m in one_f_one_b(stage, 4, 16)]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_fixed_order_is_the_longest_path_of_its_durations(rrfp, seed):
    report = rrfp.report(
        "simulate", "job.toml", "--set", "schedule.arbiter=fixed", "--set", f"jitter.seed={seed}",
        "--set", "jitter.compute_cv=0.7", "--set", "jitter.comm_mean_ms=5",
        "--write-durations", "draws.csv", "--iteration", "2")
    expected = longest_path(read(rrfp.folder / "draws.csv"), 4, 16)
    assert report["iterations"][1]["milliseconds"] == pytest.approx(expected, rel=1e-8)


def test_written_durations_read_back_to_the_same_run(rrfp):
    words = ["simulate", "job.toml", "--set", "jitter.compute_cv=1", "--set", "train.iterations=2"]
    drawn = rrfp.report(*words, "--write-durations", "draws.csv")
    given = rrfp.report(*words, "--durations", "draws.csv")
    last = drawn["iterations"][-1]["milliseconds"]
    assert [i["milliseconds"] for i in given["iterations"]] == [last, last]
    assert given["order"] == drawn["order"]


def test_the_same_job_gives_the_same_report(rrfp):
    words = ["simulate", "job.toml", "--set", "jitter.compute_cv=0.5"]
    assert rrfp.report(*words) == rrfp.report(*words)


@pytest.mark.parametrize("arbiter", ["bf", "fb", "b-priority", "f-priority", "order"])
def test_every_arbiter_runs_every_task_once_within_its_limit(rrfp, arbiter):
    report = rrfp.report("simulate", "job.toml", "--set", f"schedule.arbiter={arbiter}",
                         "--set", "schedule.limit=3", "--set", "jitter.compute_cv=1")
    for stage, actions in enumerate(report["order"]):
        assert sorted(actions) == sorted(f"{stage}{k}{m}" for k in "FB" for m in range(16))
    assert all(rank["in_flight_high_water"] <= 3 for rank in report["ranks"])


def test_the_report_has_its_keys(rrfp):
    report = rrfp.report("simulate", "job.toml")
    assert {"job", "machine", "version", "iterations", "summary", "ranks", "order"} <= set(report)
    assert report["iterations"][0]["loss"] is None
    assert report["summary"]["parameters_sha256"] is None
    assert {"host", "cpu", "cores", "kernel", "memory_bytes"} <= set(report["machine"])


def test_quiet_says_nothing_and_the_picture_is_a_picture(rrfp):
    done = rrfp("simulate", "job.toml", "--quiet", "--timeline", "picture.svg")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (rrfp.folder / "picture.svg").read_text().startswith("<svg ")


def test_nothing_is_left_beside_the_report(rrfp):
    rrfp.report("simulate", "job.toml", "--timeline", "picture.svg")
    assert {file.name for file in rrfp.folder.iterdir()} == {"job.toml", "report.json",
                                                             "picture.svg"}


def test_version_and_help(rrfp):
    assert rrfp("--version").stdout.startswith("rrfp 0.")
    assert rrfp("run", "--help").returncode == 0


def test_a_schedule_is_printed_row_by_row(rrfp):
    done = rrfp("schedule", "1f1b", "--stages", 3, "--ranks", 3, "--microbatches", 4, "--csv")
    rows = [row.split(",") for row in done.stdout.splitlines()]
    assert rows == [[f"{s}{kind}{m}" for kind, m in one_f_one_b(s, 3, 4)] for s in range(3)]
