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
}

# The least geometric mean over all scenarios of `tide` over fixed 1F1B, by limit and P.
MEAN_TARGETS = {"base+1": (1.09, 1.065, 1.05), "base+P": (1.20, 1.26, 1.29)}


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
    """What `tide` must reach over fixed 1F1B and does not."""
    missed = []
    for ranks in RANKS:
        for scenario in SCENARIOS:
            speedup = tables.cell("1f1b", ranks, "base", scenario, "tide")["speedup"]
            if speedup < 1 - 1e-9:
                missed.append(f"P {ranks}, base, {scenario}: {speedup:.4f}, at least 1")
    for limit, targets in MEAN_TARGETS.items():
        for ranks, target in zip(RANKS, targets, strict=True):
            mean = tables.mean("1f1b", ranks, limit, "tide")
            if mean < target:
                missed.append(f"P {ranks}, {limit}, mean: {mean:.4f}, at least {target}")
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
