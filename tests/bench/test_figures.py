"""Invariant: a figure is the ratio of medians of one round, and its result the median of those."""

import pytest
from rrfp_bench import targets
from rrfp_bench.figures import REPORTED, Figure, at_least, at_most, evaluate, plan
from rrfp_bench.runs import OURS, PYTORCH, SIMULATION, Outcome, Run


def test_median_leaves_the_first_iteration_out_unless_it_is_the_only_one():
    assert Outcome((100.0, 1.0, 3.0, 2.0), "").median_ms == 2.0
    assert Outcome((100.0,), "").median_ms == 100.0


def test_ratio_is_taken_within_a_round_and_the_median_over_rounds():
    ours = Run(4)
    theirs = ours.of(PYTORCH)
    figure = Figure("peers", "", at_least(1.1), (theirs,), (ours,))
    # The machine slows down threefold; the ratios of a round do not.
    rounds = [{ours: 10.0, theirs: 12.0}, {ours: 30.0, theirs: 33.0}, {ours: 20.0, theirs: 20.0}]
    result = evaluate(figure, rounds)
    assert result.ratios == pytest.approx((1.2, 1.1, 1.0))
    assert result.median == pytest.approx(1.1)
    assert result.met


def test_targets_hold_at_their_bound():
    assert at_most(1.03).met(1.03) and not at_most(1.03).met(1.0301)
    assert at_least(0.96).met(0.96) and not at_least(0.96).met(0.9599)


def test_a_figure_without_target_is_reported_and_fails_nothing():
    run = Run(4)
    result = evaluate(Figure("peers", "x", REPORTED, (run,), (run.of(SIMULATION),)), [])
    assert str(REPORTED) == "–" and result.verdict == "" and REPORTED.met(1e9)


def test_speedup_is_compared_with_the_simulated_speedup():
    fixed, bf = Run(4, 0.5), Run(4, 0.5, arbiter="bf")
    figure = next(f for f in targets.figures(("speedup",), (4,)) if len(f.over) == 2)
    medians = {fixed: 120.0, bf: 100.0, fixed.of(SIMULATION): 125.0, bf.of(SIMULATION): 100.0}
    assert figure.value(medians) == pytest.approx(1.2 / 1.25)


def test_every_part_is_there_for_both_pipelines():
    figures = targets.figures()
    for pipeline in targets.PIPELINES:
        counts = {
            part: sum(f.part == part and f.over[0].pipeline == pipeline for f in figures)
            for part in targets.PARTS
        }
        chunks = 10 if pipeline == 4 else 0
        assert counts == {
            "overhead": 2,
            "peers": 12,
            "arbiters": 12,
            "speedup": 4,
            "chunks": chunks,
            "defaults": 12,
            "tide": 9,
        }


def test_plan_runs_everything_once_and_puts_peers_side_by_side():
    figures = targets.figures()
    runs = plan(figures)
    assert len(runs) == len(set(runs))
    assert {run for figure in figures for run in figure.runs} == set(runs)
    measured = [run for run in runs if run.measured]
    for index, run in enumerate(measured):
        if run.program == PYTORCH:
            assert measured[index + 1] == run.of(OURS)
