"""The tables of equal_memory.py: speed-ups by limit and scenario, and what they must show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

SCENARIOS = ("jitter", "length", "comm", "encoder", "mix", "straggler", "stall")
RANKS = (4, 8, 16)
TITLES = {
    "1f1b": "One stage a rank, against fixed 1F1B",
    "zb-h1": "Split backward, against fixed ZB-H1",
    "interleaved-1f1b": "Two stages a rank, against fixed interleaved 1F1B; window admission",
    "interleaved-1f1b, 4": "Four stages a rank, against fixed interleaved 1F1B; window admission",
    "zbv": "The V with the split, against fixed ZB-V; window admission",
}

# The least geometric mean over all scenarios of the second arbiter, by P.
MEAN_TARGETS = {
    ("1f1b", "base+1"): (1.09, 1.065, 1.05),
    ("1f1b", "base+P"): (1.20, 1.26, 1.29),
    ("zb-h1", "base"): (1.02, 1.04, 1.055),
    ("interleaved-1f1b", "base"): (1.01, 1.02, 1.025),
    ("interleaved-1f1b", "base+P"): (1.08, 1.10, 1.115),
    ("interleaved-1f1b, 4", "base"): (1.025, 1.04, 1.05),
    ("zbv", "base"): (1.025, 1.04, 1.055),
}
# And its least mean in any one scenario at the baseline's own memory. Where it is below 1 the scenario is
# `length`, in which little can be had in any order and messages keep theirs.
CELL_TARGETS = {
    "1f1b": 1 - 1e-9,
    "zb-h1": 0.975,
    "interleaved-1f1b": 0.99,
    "interleaved-1f1b, 4": 0.99,
    "zbv": 0.99,
}


class Tables:
    """Cells by (baseline, ranks, limit, scenario, arbiter)."""

    def __init__(self, cells: Sequence[dict]) -> None:
        keys = ("baseline", "ranks", "limit", "scenario", "arbiter")
        self._cells = {tuple(cell[key] for key in keys): cell for cell in cells}

    def rows(self, baseline: str) -> list[tuple[int, str]]:
        """(P, limit) in the order of the cells."""
        return list(dict.fromkeys((key[1], key[2]) for key in self._cells if key[0] == baseline))

    def arbiters(self, baseline: str) -> list[str]:
        return list(dict.fromkeys(key[4] for key in self._cells if key[0] == baseline))

    def baselines(self) -> list[str]:
        return list(dict.fromkeys(key[0] for key in self._cells))

    def cell(self, baseline: str, ranks: int, limit: str, scenario: str, arbiter: str) -> dict:
        return self._cells[baseline, ranks, limit, scenario, arbiter]

    def mean(self, baseline: str, ranks: int, limit: str, arbiter: str) -> float:
        """The geometric mean over the scenarios."""
        speedups = [
            self.cell(baseline, ranks, limit, scenario, arbiter)["speedup"]
            for scenario in SCENARIOS
        ]
        return math.exp(sum(map(math.log, speedups)) / len(speedups))


def misses(tables: Tables) -> list[str]:
    """What the second arbiter of each table must reach over its baseline and does not."""
    missed = []
    for baseline in tables.baselines():
        ours = tables.arbiters(baseline)[1]
        least = CELL_TARGETS[baseline]
        for ranks in RANKS:
            for scenario in SCENARIOS:
                speedup = tables.cell(baseline, ranks, "base", scenario, ours)["speedup"]
                if speedup < least:
                    missed.append(
                        f"{baseline}, P {ranks}, base, {scenario}: {speedup:.4f}, at least {least:.3f}"
                    )
        for (of, limit), targets in MEAN_TARGETS.items():
            for ranks, target in zip(RANKS, targets, strict=True):
                if of != baseline:
                    continue
                mean = tables.mean(baseline, ranks, limit, ours)
                if mean < target:
                    missed.append(
                        f"{baseline}, P {ranks}, {limit}, mean: {mean:.4f}, at least {target}"
                    )
    return missed


def table(tables: Tables, baseline: str) -> Iterator[str]:
    """The lines of one table; of each pair of arbiters the second also with its 5th percentile."""
    plain, ours = tables.arbiters(baseline)
    yield f"`{plain}` / **`{ours}`** (5th percentile of `{ours}`):"
    yield ""
    yield f"| P | limit | {' | '.join(SCENARIOS)} | mean |"
    yield "|---" * (len(SCENARIOS) + 3) + "|"
    for ranks, limit in tables.rows(baseline):
        cells = []
        for scenario in SCENARIOS:
            first = tables.cell(baseline, ranks, limit, scenario, plain)
            second = tables.cell(baseline, ranks, limit, scenario, ours)
            cells.append(
                f"{first['speedup']:.3f} / **{second['speedup']:.3f}** ({second['percentile5']:.2f})"
            )
        means = [tables.mean(baseline, ranks, limit, arbiter) for arbiter in (plain, ours)]
        cells.append(f"{means[0]:.3f} / **{means[1]:.3f}**")
        yield f"| {ranks} | {limit} | {' | '.join(cells)} |"


def markdown(written: dict) -> str:
    """The page that stands beside the JSON file."""
    tables = Tables(written["cells"])
    seeds = written["seeds"]
    changed = ", with local changes" if written["modified"] else ""
    lines = [
        f"# Equal memory, {written['date'][:10]}",
        "",
        f"- Commit: {written['commit']}{changed}",
        f"- Simulated; seeds {seeds['first']} to {seeds['first'] + seeds['count'] - 1}, the same "
        "samples for all",
        "- M = 4 P; a rank takes 10 ms for a microbatch's forwards, 20 ms for its backwards",
        "- Figures: the fixed schedule's time over the arbiter's, geometric means; above 1 is faster",
        "- Limits: `base` is the fixed schedule's own memory at each rank, `U` none, `flat` P",
    ]
    for baseline in tables.baselines():
        lines += ["", f"## {TITLES[baseline]}", "", *table(tables, baseline)]
    return "\n".join(lines) + "\n"
