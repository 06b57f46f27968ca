"""The page of defaults.py: means, what counts as a miss, and that every shape has its row and panel."""

import itertools

import pytest
from rrfp_bench.defaults import AT_LEAST_OWN, BELOW, Tables, failures, markdown, summary
from rrfp_bench.defaults_plot import svg

RANKS = (2, 4)


def cells(**changed) -> list[dict]:
    """One cell each; `changed` is the speed-up by limit, where it is not 1.1."""
    made = []
    for ranks, chunks, limit in itertools.product(RANKS, (1, 2), (*BELOW, *AT_LEAST_OWN)):
        made.append(
            {
                "placement": "loop",
                "ranks": ranks,
                "chunks": chunks,
                "microbatches": 4 * ranks,
                "split": False,
                "limit": limit,
                "cv": 0.5,
                "message_ms": 0,
                "uneven": False,
                "admission": "graded",
                "arbiter": "bf",
                "speedup": changed.get(limit, 1.1),
                "best": 1.1 if limit in BELOW else 0,
            }
        )
    return made


def page(made: list[dict]) -> str:
    written = {"date": "2026-01-01T00:00:00", "commit": "abc", "modified": False, "samples": 8}
    return markdown(written | {"ranks": list(RANKS)}, Tables(made))


def test_all_targets_met():
    assert failures(Tables(cells())) == []
    assert "0 of 28" in page(cells())


@pytest.mark.parametrize("limit", AT_LEAST_OWN)
def test_a_slower_mean_fails(limit):
    failed = failures(Tables(cells(**{limit: 0.96})))
    assert any(f"limit {limit}: mean 0.9600" in failure for failure in failed)


def test_a_cell_far_below_fails():
    made = cells()
    made[-1]["speedup"] = 0.9
    failed = failures(Tables(made))
    assert any("P 4" in failure and "0.9000, at least 0.95" in failure for failure in failed)


def test_below_the_memory_the_best_rule_is_the_measure():
    made = cells(least=0.55)  # half of the best
    assert len(Tables(made).missing()) == 4
    assert "| 1 stage a rank | 0.550 (0.500) |" in page(made)


def test_every_shape_has_a_row_a_panel_and_a_summary():
    tables = Tables(cells())
    assert tables.shapes == ["1 stage a rank", "2 stages a rank"]
    assert page(cells()).count("| 2 stages a rank |") == 2
    picture = svg(tables)
    assert all(f">{name}</text>" in picture for name in tables.shapes)
    assert picture.count("<circle") == len(RANKS) * len(AT_LEAST_OWN) * 2
    assert len(summary(tables)) == 2 * 7
