"""Guards: `rrfp schedule` and PyTorch read each other's tables, every schedule prints, draws and checks,
and a bad table ends with 2 and a line a fault."""

import pathlib
import xml.etree.ElementTree

import pytest
import torch_schedules

ASSETS = pathlib.Path(__file__).resolve().parents[1] / "schedules/assets"

# name, stages, ranks, microbatches
SCHEDULES = [
    ("gpipe", 4, 4, 6), ("1f1b", 4, 4, 6), ("interleaved-1f1b", 8, 4, 6), ("looped-bfs", 8, 4, 5),
    ("zb-h1", 4, 4, 6), ("zb-h2", 4, 4, 9), ("zb-2p", 4, 4, 9), ("zbv", 8, 4, 9),
    ("v-half", 8, 4, 9), ("v-min", 8, 4, 9), ("hanayo", 16, 4, 6), ("chimera", 4, 4, 8),
]


def words(name, stages, ranks, microbatches):
    return [name, "--stages", stages, "--ranks", ranks, "--microbatches", microbatches]


def compute_actions(row):
    """The actions of a row of PyTorch's that compute, overlapped ones one by one."""
    for action in row:
        if action is not None:
            yield from (str(a) for a in action.sub_actions or [action] if a.is_compute_op)


def ours(text):
    return [row.split(",") for row in text.splitlines()]


@pytest.mark.parametrize("shape", SCHEDULES, ids=lambda shape: shape[0])
def test_every_schedule_prints_draws_and_loads(rrfp, shape):
    name, stages, ranks, microbatches = shape
    text = rrfp("schedule", *words(*shape))
    assert text.returncode == 0, text.stderr
    assert text.stdout.splitlines()[ranks].startswith(f"rank {ranks - 1}")
    assert f"{stages} stages on {ranks} ranks" in text.stdout and "% idle" in text.stdout

    printed = rrfp("schedule", *words(*shape), "--csv", "--svg", "picture.svg")
    table = ours(printed.stdout)
    picture = xml.etree.ElementTree.parse(rrfp.folder / "picture.svg")
    drawn = sum(" of microbatch " in (title.text or "")
                for title in picture.iter("{http://www.w3.org/2000/svg}title"))
    assert drawn == sum(len(row) for row in table)

    file = rrfp.folder / "ours.csv"
    file.write_text(printed.stdout)
    checked = rrfp("schedule", *words(file, stages, ranks, microbatches), "--check")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "free of deadlock" in checked.stdout
    if name != "chimera":  # whose replicas PyTorch's tables do not know
        # Their loader validates the table and adds messages, which it cannot to one that locks.
        theirs = torch_schedules.loaded(file, *shape[1:])
        assert [list(compute_actions(row)) for row in theirs.pipeline_order.values()] == table


@pytest.mark.parametrize("golden", torch_schedules.GOLDEN, ids=lambda golden: golden[0])
def test_what_pytorch_writes_is_read(rrfp, golden):
    file, name, stages, ranks, microbatches, kind = golden
    theirs = torch_schedules.schedule(name, stages, ranks, microbatches)
    theirs._dump_csv(rrfp.folder / file, format=kind)
    assert (rrfp.folder / file).read_bytes() == (ASSETS / file).read_bytes()
    printed = rrfp("schedule", *words(ASSETS / file, stages, ranks, microbatches), "--csv")
    assert printed.returncode == 0, printed.stderr
    assert ours(printed.stdout) == [list(compute_actions(row))
                                    for row in theirs.pipeline_order.values()]


def test_a_bad_table_names_every_fault(rrfp):
    (rrfp.folder / "bad.csv").write_text("0F0,0F0,0B0,zap\n1B0,1F0\n0F1,0B1,2F1\n")
    for option in ["--check", "--csv"]:
        done = rrfp("schedule", "bad.csv", option)
        assert (done.returncode, done.stdout) == (2, "")
        faults = done.stderr.splitlines()
        assert all(line.startswith("rrfp: bad.csv: row ") for line in faults)
        for place, what in [("row 1 (rank 0), column 2", "duplicate"),
                            ("row 1 (rank 0), column 4", "'zap' is no action"),
                            ("row 2 (rank 1), column 1", "out of order"),
                            ("row 2 (rank 1), column 2", "1F1 is missing"),
                            ("row 3 (rank 2), column 1", "misplaced")]:
            assert any(place in line and what in line for line in faults), (place, what, faults)


def test_a_deadlock_is_named_with_its_ring(rrfp):
    (rrfp.folder / "ring.csv").write_text("0F0,0B0,0F1,0B1\n1F0,1F1,1B0,1B1\n")
    done = rrfp("schedule", "ring.csv", "--check")
    assert done.returncode == 2
    assert "row 1 (rank 0), column 2: deadlock" in done.stderr
    assert "1F1 in row 2, column 2 waits for 0F1 in row 1, column 3" in done.stderr


@pytest.mark.parametrize(("arguments", "part"), [
    (["1f1b"], "--stages, --ranks and --microbatches"),
    (["missing.csv"], "missing.csv: cannot be read"),
    (["zbv", "--stages", 4, "--ranks", 4, "--microbatches", 2], "placement v"),
    (["gpipe", "--stages", 5, "--ranks", 4, "--microbatches", 2], "multiple of ranks"),
    (["chimera", "--stages", 3, "--ranks", 3, "--microbatches", 2], "even number of ranks"),
    (["1f1b", "--stages", 4000, "--ranks", 4000, "--microbatches", 4000], "lower one"),
    ([ASSETS / "zbv.csv", "--ranks", 3], "there must be 3"),
], ids=lambda value: value if isinstance(value, str) else None)
def test_a_schedule_that_cannot_be(rrfp, arguments, part):
    done = rrfp("schedule", *arguments, "--check")
    assert (done.returncode, done.stdout) == (2, "")
    assert part in done.stderr
