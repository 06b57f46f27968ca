"""Results: a table for the terminal, a JSON file with all that was measured, a Markdown page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import datetime, UTC
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rrfp_bench.figures import FigureResult
from rrfp_bench.machine import commit, machine, machine_slug
from rrfp_bench.runs import Run
from rrfp_bench.table import Round

SCHEMA = 1


def document(
    results: Sequence[FigureResult], rounds: Sequence[Round], configuration: dict[str, object]
) -> dict[str, object]:
    """All that was measured, and on what, as JSON's types."""
    return {
        "schema": SCHEMA,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        **commit(),
        "configuration": configuration,
        "figures": [_figure(result) for result in results],
        "rounds": [_round(round_) for round_ in rounds],
    }


def _figure(result: FigureResult) -> dict[str, object]:
    figure = result.figure
    return {
        "part": figure.part,
        "pipeline": figure.over[0].pipeline,
        "name": figure.name,
        "target": str(figure.target),
        "measured": round(result.median, 4),
        "ratios": [round(ratio, 4) for ratio in result.ratios],
        "met": result.met,
        "verdict": result.verdict,
    }


def _round(round_: Round) -> dict[str, object]:
    runs = [
        {
            **asdict(run),
            "command": outcome.command,
            "in_flight": outcome.in_flight,
            "median_ms": round(outcome.median_ms, 3),
            "milliseconds": [round(ms, 3) for ms in outcome.milliseconds],
        }
        for run, outcome in round_.outcomes.items()
    ]
    return {"load_before": round_.load_before, "load_after": round_.load_after, "runs": runs}


def terminal_table(results: Sequence[FigureResult]) -> Table:
    """The figures, one a row."""
    table = Table(title="Ratios, medians over rounds")
    for heading in ("part", "P", "figure"):
        table.add_column(heading)
    for heading in ("target", "measured", "rounds"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for result in results:
        figure = result.figure
        table.add_row(
            figure.part,
            str(figure.over[0].pipeline),
            figure.name,
            str(figure.target),
            f"{result.median:.3f}",
            " ".join(f"{ratio:.3f}" for ratio in result.ratios),
            f"[{'green' if result.met else 'red'}]{result.verdict}[/]",
        )
    return table


def markdown(written: dict) -> str:
    """The page that stands beside the JSON file."""
    facts = written["machine"]
    loads = ", ".join(
        f"{each['load_before'][0]} → {each['load_after'][0]}" for each in written["rounds"]
    )
    changed = ", with local changes" if written["modified"] else ""
    lines = [
        f"# Figures of {written['date'][:10]} on {facts['name']}",
        "",
        f"- Machine: {facts['processor']}, {facts['cores']} cores, {facts['memory_gib']} GiB, "
        f"Linux {facts['kernel']}",
        f"- Commit: {written['commit']}{changed}",
        f"- Command: `{written['configuration']['command']}`",
        f"- Load average (1 minute) before → after each round: {loads}",
        "",
        "| part | P | figure | target | measured | rounds | |",
        "|---|---|---|---|---|---|---|",
    ]
    for each in written["figures"]:
        rounds = " ".join(f"{ratio:.3f}" for ratio in each["ratios"])
        lines.append(
            f"| {each['part']} | {each['pipeline']} | {each['name']} | {each['target']} "
            f"| {each['measured']:.3f} | {rounds} | {'**fail**' if each['verdict'] == 'fail' else each['verdict']} |"
        )
    lines += ["", "Medians in milliseconds, by round, and the most forwards in flight at a rank:", ""]
    lines += ["| run | medians | in flight |", "|---|---|---|"]
    by_run: dict[Run, list[dict]] = {}
    for round_ in written["rounds"]:
        for run in sorted(round_["runs"], key=lambda run: (run["pipeline"], run["compute_cv"])):
            configuration = Run(**{field.name: run[field.name] for field in fields(Run)})
            by_run.setdefault(configuration, []).append(run)
    for configuration, runs in by_run.items():
        medians = " ".join(f"{run['median_ms']:.1f}" for run in runs)
        peaks = {run["in_flight"] for run in runs} - {None}
        lines.append(f"| {configuration} | {medians} | {max(peaks) if peaks else ''} |")
    return "\n".join(lines) + "\n"


def write(written: dict, folder: Path) -> list[Path]:
    """Writes `<date>-<machine>.json` and `.md`; never over an earlier one of the day."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{written['date'][:10]}-{machine_slug(written['machine'])}"
    number = 1
    while (folder / f"{stem}.json").exists():
        number += 1
        stem = f"{written['date'][:10]}-{machine_slug(written['machine'])}-{number}"
    files = [folder / f"{stem}.json", folder / f"{stem}.md"]
    files[0].write_text(json.dumps(written, indent=1) + "\n")
    files[1].write_text(markdown(written))
    return files


def show(results: Sequence[FigureResult]) -> None:
    console = Console()
    # A pipe has no width of its own; 80 columns would break every row.
    Console(width=None if console.is_terminal else 140).print(terminal_table(results))
