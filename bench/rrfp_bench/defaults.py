"""The page of defaults.py: what the defaults gain over fixed schedules, by shape and limit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

Cell = Mapping[str, object]

BELOW = ("least", "half", "own-1")
AT_LEAST_OWN = ("own", "own+P", "default", "none")
# What every cell is to reach over the fixed schedule where its memory is there; and of the best of the
# rules where it is not.
CELL_TARGET = 0.995
OF_BEST = 0.95
# What must hold for the program to end well: the mean of each shape and limit, the worst cell, and how
# many cells may miss the two targets above.
MEAN, WORST, MISSES = 1.0, 0.95, 0.02

FEWEST = 3


def seeds(samples: int, ranks: int) -> int:
    """How many samples a cell has: a longer pipeline varies less, and takes longer to simulate."""
    return max(FEWEST, samples // ranks)


def shape(cell: Cell) -> str:
    split = ", split" if cell["split"] else ""
    if cell["placement"] == "v":
        return "V" + split
    chunks = cell["chunks"]
    return f"{chunks} stage{'s' if chunks != 1 else ''} a rank{split}"


def place(cell: Cell) -> str:
    """Which cell it is, in words."""
    uneven = ", uneven stages" if cell["uneven"] else ""
    return (
        f"{shape(cell)}, P {cell['ranks']}, M {cell['microbatches']}, limit {cell['limit']}, "
        f"CV {cell['cv']:g}, messages {cell['message_ms']:g} ms{uneven}"
    )


def below(cell: Cell) -> bool:
    """Whether the limit is below the fixed schedule's own memory."""
    return cell["best"] > 0


def figure(cell: Cell) -> float:
    """What is judged: the speed-up, or below the fixed schedule's memory that over the best rule's."""
    return cell["speedup"] / cell["best"] if below(cell) else cell["speedup"]


def target(cell: Cell) -> float:
    return OF_BEST if below(cell) else CELL_TARGET


def geometric_mean(values: Iterable[float]) -> float:
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


class Tables:
    """Cells by shape and limit."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = cells
        self.shapes = list(dict.fromkeys(map(shape, sorted(cells, key=_order))))

    def of(self, name: str, limit: str) -> list[Cell]:
        return [cell for cell in self.cells if shape(cell) == name and cell["limit"] == limit]

    def missing(self) -> list[Cell]:
        """The cells that miss their target, worst first."""
        missed = [cell for cell in self.cells if figure(cell) < target(cell)]
        return sorted(missed, key=figure)


def _order(cell: Cell) -> tuple:
    return cell["split"], cell["placement"], cell["chunks"]


def failures(tables: Tables) -> list[str]:
    failed = []
    for name in tables.shapes:
        for limit in AT_LEAST_OWN:
            mean = geometric_mean(cell["speedup"] for cell in tables.of(name, limit))
            if mean < MEAN:
                failed.append(f"{name}, limit {limit}: mean {mean:.4f}, at least {MEAN:g}")
    worst = min((c for c in tables.cells if not below(c)), key=figure)
    if figure(worst) < WORST:
        failed.append(f"{place(worst)}: {figure(worst):.4f}, at least {WORST:g}")
    missing = len(tables.missing())
    if missing > MISSES * len(tables.cells):
        failed.append(f"{missing} of {len(tables.cells)} cells miss their target")
    return failed


def table(tables: Tables, limits: Sequence[str]) -> Iterator[str]:
    yield f"| | {' | '.join(limits)} |"
    yield "|---" * (len(limits) + 1) + "|"
    for name in tables.shapes:
        entries = []
        for limit in limits:
            cells = tables.of(name, limit)
            mean = geometric_mean(cell["speedup"] for cell in cells)
            entries.append(f"{mean:.3f} ({min(map(figure, cells)):.3f})")
        yield f"| {name} | {' | '.join(entries)} |"


def markdown(written: Mapping[str, object], tables: Tables) -> str:
    changed = ", with local changes" if written["modified"] else ""
    missing = tables.missing()
    own = [cell for cell in missing if not below(cell)]
    lines = [
        f"# Defaults, {written['date'][:10]}",
        "",
        f"- Commit: {written['commit']}{changed}",
        f"- Simulated; P of {', '.join(map(str, written['ranks']))}, M of P, 2P, 4P and 8P; "
        f"{written['samples']}/P samples a cell but at least {FEWEST}, one where nothing varies",
        "- A rank takes 10 ms for a microbatch's forwards, 20 ms for its backwards; CV 0, 0.25, 0.5, 1; "
        "messages of 0 and 5 ms (exponential); even stages, and uneven ones (first 1.2, last 1.4 times)",
        "- Figures: the time of the fixed schedule of the same shape at its own memory, over that of what is "
        "chosen where nothing but sizes and the limit is given; geometric mean over all cells (worst cell)",
        "- Limits: `own` is the fixed schedule's memory at each rank, `default` where none is given",
        "",
        "## With the fixed schedule's memory, or more",
        "",
        *table(tables, AT_LEAST_OWN),
        "",
        "## With less",
        "",
        "Limits of one a stage, of half and of one less than the fixed schedule's. In brackets, of all cells the "
        "worst against the best of graded and drain, with alternation and with forwards first, at the same memory.",
        "",
        *table(tables, BELOW),
        "",
        f"## Cells below {CELL_TARGET} of the fixed schedule, or {OF_BEST} of the best rule",
        "",
        f"{len(missing)} of {len(tables.cells)}, {len(own)} of them with the fixed schedule's memory or more. "
        "The worst of these, then of the others:",
        "",
        *[f"- {place(cell)}: {figure(cell):.3f}" for cell in own[:20]],
        "",
        *[f"- {place(cell)}: {figure(cell):.3f}" for cell in missing if below(cell)][:10],
    ]
    return "\n".join(lines) + "\n"


def summary(tables: Tables) -> list[dict]:
    """One entry a shape and limit."""
    entries = []
    for name in tables.shapes:
        for limit in (*BELOW, *AT_LEAST_OWN):
            cells = tables.of(name, limit)
            worst = min(cells, key=figure)
            entries.append(
                {
                    "shape": name,
                    "limit": limit,
                    "cells": len(cells),
                    "mean": round(geometric_mean(cell["speedup"] for cell in cells), 4),
                    "missing": sum(figure(cell) < target(cell) for cell in cells),
                    "worst": dict(worst),
                }
            )
    return entries
