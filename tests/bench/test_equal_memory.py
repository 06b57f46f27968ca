"""The tables of equal_memory.py: means, layout, and that a figure below its target is named."""

import itertools

import pytest
from rrfp_bench.equal_memory import RANKS, SCENARIOS, Tables, markdown, misses

LIMITS = ("base", "base+1", "base+P")


def cells(speedups: dict[str, float]) -> list[dict]:
    return [
        {
            "baseline": "1f1b",
            "ranks": ranks,
            "limit": limit,
            "scenario": scenario,
            "arbiter": arbiter,
            "speedup": speedups[limit],
            "percentile5": 0.9,
        }
        for ranks, scenario, limit, arbiter in itertools.product(
            RANKS, SCENARIOS, LIMITS, ("bf", "tide")
        )
    ]


GOOD = {"base": 1.0, "base+1": 1.1, "base+P": 1.3}


def test_mean_is_geometric():
    made = cells(GOOD)
    for cell in made:
        if cell["scenario"] == "jitter":
            cell["speedup"] *= 2**7
    assert Tables(made).mean("1f1b", 4, "base", "tide") == pytest.approx(2)


def test_all_targets_met():
    assert misses(Tables(cells(GOOD))) == []


@pytest.mark.parametrize("limit", LIMITS)
def test_a_miss_names_its_cell(limit):
    missed = misses(Tables(cells(GOOD | {limit: 0.999})))
    assert missed
    assert all(limit in miss for miss in missed)


def test_page_has_a_row_for_each_limit():
    page = markdown(
        {
            "date": "2026-01-01T00:00:00",
            "commit": "abc",
            "modified": False,
            "seeds": {"first": 1, "count": 2},
            "cells": cells(GOOD),
        }
    )
    assert "| 8 | base+1 | 1.100 / **1.100** (0.90) |" in page
    assert page.count("| base |") == len(RANKS)
