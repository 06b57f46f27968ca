"""Invariant: rounds alternate their order; what takes no real time is executed once."""

import json

from rrfp_bench import results, table, targets
from rrfp_bench.runs import SIMULATION, Outcome


def _take(rounds):
    executed = []

    def execute(run):
        executed.append(run)
        return Outcome((999.0, 10.0 if run.program == SIMULATION else 10.5), f"command of {run}")

    figures = targets.figures(("speedup",), (4,))
    taken, raw = table.take(figures, rounds, execute, tell=lambda line: None)
    return taken, raw, executed


def test_order_is_reversed_from_round_to_round():
    _, _, executed = _take(2)
    measured = [run for run in executed if run.measured]
    half = len(measured) // 2
    assert measured[half:] == measured[:half][::-1]


def test_simulations_are_executed_once():
    _, raw, executed = _take(3)
    simulated = [run for run in executed if not run.measured]
    assert len(simulated) == len(set(simulated)) == 4
    assert all(run in round_.outcomes for run in simulated for round_ in raw)


def test_document_is_json_with_machine_commit_and_every_run(tmp_path):
    taken, raw, _ = _take(3)
    written = results.document(taken, raw, {"command": "bench/run_table.py"})
    files = results.write(written, tmp_path)
    read = json.loads(files[0].read_text())
    assert read == json.loads(json.dumps(written))
    assert {"schema", "date", "machine", "commit", "modified", "configuration"} <= read.keys()
    assert {"processor", "cores", "kernel"} <= read["machine"].keys()
    assert len(read["rounds"]) == 3
    for round_ in read["rounds"]:
        assert len(round_["load_before"]) == len(round_["load_after"]) == 3
        assert len(round_["runs"]) == 8
        for run in round_["runs"]:
            assert run["median_ms"] > 0 and run["milliseconds"] and run["command"]
    for figure in read["figures"]:
        assert len(figure["ratios"]) == 3 and figure["met"] in (True, False)


def test_page_marks_what_fails_and_no_file_is_written_over(tmp_path):
    taken, raw, _ = _take(1)
    written = results.document(taken, raw, {"command": "bench/run_table.py"})
    first = results.write(written, tmp_path)
    second = results.write(written, tmp_path)
    assert len(set(first + second)) == 4
    page = first[1].read_text()
    assert page.count("**fail**") == sum(not result.met for result in taken)
    assert all(result.figure.name in page for result in taken)
