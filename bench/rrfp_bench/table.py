"""Takes the figures: rounds of alternating runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rrfp_bench.figures import Figure, FigureResult, evaluate, plan
from rrfp_bench.machine import load_average
from rrfp_bench.runs import Outcome, Run

Execute = Callable[[Run], Outcome]
Tell = Callable[[str], None]


@dataclass
class Round:
    """What every run measured in one round, and how loaded the machine was."""

    outcomes: dict[Run, Outcome] = field(default_factory=dict)
    load_before: list[float] = field(default_factory=load_average)
    load_after: list[float] = field(default_factory=list)

    @property
    def median_ms(self) -> dict[Run, float]:
        return {run: outcome.median_ms for run, outcome in self.outcomes.items()}


def _take_round(number: int, runs: Sequence[Run], execute: Execute, tell: Tell) -> Round:
    round_ = Round()
    # Every second round goes backwards, so that none of two programs is always the first.
    for run in runs if number % 2 == 0 else reversed(runs):
        round_.outcomes[run] = execute(run)
        tell(f"round {number + 1}: {run}: {round_.outcomes[run].median_ms:.1f} ms")
    round_.load_after = load_average()
    return round_


def take(
    figures: Sequence[Figure], rounds: int, execute: Execute, tell: Tell
) -> tuple[list[FigureResult], list[Round]]:
    """Executes what the figures need, `rounds` times, and evaluates them.

    What takes no real time (simulation, arithmetic) is the same in every round and executed once.
    """
    runs = plan(figures)
    constant = {run: execute(run) for run in runs if not run.measured}
    measured = [run for run in runs if run.measured]
    taken = [_take_round(number, measured, execute, tell) for number in range(rounds)]
    for round_ in taken:
        round_.outcomes.update(constant)
    medians = [round_.median_ms for round_ in taken]
    return [evaluate(figure, medians) for figure in figures], taken
