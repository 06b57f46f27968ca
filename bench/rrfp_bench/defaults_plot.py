"""A picture of the defaults: for each shape and limit the span of the speed-ups, and their mean."""

from __future__ import annotations

from collections.abc import Iterator

from rrfp_bench.defaults import AT_LEAST_OWN, Tables, geometric_mean

WIDTH, HEIGHT = 190, 150  # of a panel
LEFT, TOP, BOTTOM = 34, 22, 20
COLUMNS = 5
LOW, HIGH = 0.9, 1.6  # what a panel shows; bars beyond are cut
RANKS_COLOURS = ("#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b")


def _y(value: float) -> float:
    share = (min(max(value, LOW), HIGH) - LOW) / (HIGH - LOW)
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _panel(tables: Tables, name: str) -> Iterator[str]:
    yield f'<text x="{LEFT}" y="14" font-weight="bold">{name}</text>'
    for mark in (0.9, 1.0, 1.2, 1.4, 1.6):
        strong = 1.2 if mark == 1 else 0.4
        yield (
            f'<line x1="{LEFT}" x2="{WIDTH - 6}" y1="{_y(mark):.1f}" y2="{_y(mark):.1f}" stroke="#888" '
            f'stroke-width="{strong}"/>'
        )
        yield f'<text x="{LEFT - 4}" y="{_y(mark) + 3:.1f}" text-anchor="end">{mark:g}</text>'
    ranks = sorted({cell["ranks"] for cell in tables.cells})
    each = (WIDTH - LEFT - 6) / len(AT_LEAST_OWN)
    for column, limit in enumerate(AT_LEAST_OWN):
        cells = tables.of(name, limit)
        for index, count in enumerate(ranks):
            speedups = [cell["speedup"] for cell in cells if cell["ranks"] == count]
            x = LEFT + each * column + each * (index + 1) / (len(ranks) + 1)
            colour = RANKS_COLOURS[index % len(RANKS_COLOURS)]
            yield (
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_y(min(speedups)):.1f}" '
                f'y2="{_y(max(speedups)):.1f}" stroke="{colour}" stroke-width="3"/>'
            )
            mean = _y(geometric_mean(speedups))
            yield f'<circle cx="{x:.1f}" cy="{mean:.1f}" r="1.6" fill="black"/>'
        centre = LEFT + each * (column + 0.5)
        yield f'<text x="{centre:.1f}" y="{HEIGHT - 7}" text-anchor="middle">{limit}</text>'


def svg(tables: Tables) -> str:
    """One panel a shape; in it, by limit and then by P, a bar from the worst to the best cell."""
    rows = -(-len(tables.shapes) // COLUMNS)
    ranks = ", ".join(str(count) for count in sorted({cell["ranks"] for cell in tables.cells}))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * COLUMNS}" height="{HEIGHT * rows + 18}" '
        'font-family="sans-serif" font-size="9">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for index, name in enumerate(tables.shapes):
        x, y = WIDTH * (index % COLUMNS), HEIGHT * (index // COLUMNS)
        lines += [f'<g transform="translate({x},{y})">', *_panel(tables, name), "</g>"]
    lines += [
        f'<text x="{LEFT}" y="{HEIGHT * rows + 10}">Time of the fixed schedule over that of the defaults; '
        f"in each limit P {ranks} from left to right; bars from the worst to the best cell, dots the "
        "mean.</text>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
