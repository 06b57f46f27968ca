"""Figures: ratios of runs, taken within a round, with a target for the median over rounds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rrfp_bench.runs import Run


@dataclass(frozen=True)
class Target:
    """What the figure must reach; without a bound it is only reported."""

    bound: float | None
    at_most: bool

    def met(self, value: float) -> bool:
        if self.bound is None:
            return True
        return value <= self.bound if self.at_most else value >= self.bound

    def __str__(self) -> str:
        if self.bound is None:
            return "–"
        return f"{'≤' if self.at_most else '≥'} {self.bound:g}"


def at_most(bound: float) -> Target:
    return Target(bound, True)


def at_least(bound: float) -> Target:
    return Target(bound, False)


REPORTED = Target(None, True)


@dataclass(frozen=True)
class Figure:
    """The product of the medians of `over` divided by that of `under`.

    Both come from one round, because machines wobble more between rounds than the figure moves.
    """

    part: str
    name: str
    target: Target
    over: tuple[Run, ...]
    under: tuple[Run, ...]

    @property
    def runs(self) -> tuple[Run, ...]:
        return self.over + self.under

    def value(self, median_ms: Mapping[Run, float]) -> float:
        return math.prod(median_ms[run] for run in self.over) / math.prod(
            median_ms[run] for run in self.under
        )


@dataclass(frozen=True)
class FigureResult:
    """A figure's value in every round."""

    figure: Figure
    ratios: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.ratios)

    @property
    def met(self) -> bool:
        return self.figure.target.met(self.median)

    @property
    def verdict(self) -> str:
        """`pass`, `fail`, or nothing where no target is set."""
        if self.figure.target.bound is None:
            return ""
        return "pass" if self.met else "fail"


def evaluate(figure: Figure, rounds: Iterable[Mapping[Run, float]]) -> FigureResult:
    return FigureResult(figure, tuple(figure.value(round_) for round_ in rounds))


def plan(figures: Iterable[Figure]) -> list[Run]:
    """The distinct runs that the figures need, those of one configuration side by side."""
    return sorted({run for figure in figures for run in figure.runs})
