"""The realised durations of one iteration, as `rrfp simulate --write-durations` writes them.

A file has rows `kind,stage,microbatch,ms`. Kinds: F, B, W (tasks), SEND_F, SEND_B (messages).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

TASK_KINDS = ("F", "B", "W")
MESSAGE_KINDS = ("SEND_F", "SEND_B")
KINDS = TASK_KINDS + MESSAGE_KINDS


@dataclass(frozen=True)
class Durations:
    """Milliseconds by kind; each array has the shape (stages, microbatches).

    `W` is present only where the backward is split; absent messages take no time.
    """

    milliseconds: dict[str, np.ndarray]

    @property
    def stages(self) -> int:
        return self.milliseconds["F"].shape[0]

    @property
    def microbatches(self) -> int:
        return self.milliseconds["F"].shape[1]

    @property
    def split_weight(self) -> bool:
        return "W" in self.milliseconds

    def delayed_messages(self) -> bool:
        """Whether any message that crosses a link takes time."""
        forward = self.milliseconds.get("SEND_F")
        backward = self.milliseconds.get("SEND_B")
        return bool(
            (forward is not None and forward[:-1].any())
            or (backward is not None and backward[1:].any())
        )

    @staticmethod
    def constant(
        stages: int,
        microbatches: int,
        forward_ms: float,
        backward_ms: float,
        weight_ms: float | None = None,
    ) -> Durations:
        """Durations without variability; with `weight_ms` the backward is split."""
        values = {"F": forward_ms, "B": backward_ms, "W": weight_ms}
        return Durations(
            {
                kind: np.full((stages, microbatches), ms)
                for kind, ms in values.items()
                if ms is not None
            }
        )


def _parse_row(row: list[str], place: str) -> tuple[str, int, int, float]:
    if len(row) != 4:
        raise ValueError(f"{place}: expected kind,stage,microbatch,ms, found {','.join(row)!r}")
    kind = row[0].strip()
    if kind not in KINDS:
        raise ValueError(f"{place}: unknown kind {kind!r}; the kinds are {', '.join(KINDS)}")
    try:
        stage, microbatch, ms = int(row[1]), int(row[2]), float(row[3])
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
    if stage < 0 or microbatch < 0 or not (0 <= ms < float("inf")):
        raise ValueError(f"{place}: stage, microbatch and ms must be finite and not negative")
    return kind, stage, microbatch, ms


def _to_array(path: Path, kind: str, cells: dict[tuple[int, int], float], shape) -> np.ndarray:
    array = np.full(shape, np.nan if kind in TASK_KINDS else 0.0)
    for (stage, microbatch), ms in cells.items():
        if stage >= shape[0] or microbatch >= shape[1]:
            raise ValueError(
                f"{path}: {kind} of stage {stage}, microbatch {microbatch} has no F of that stage "
                "and microbatch"
            )
        array[stage, microbatch] = ms
    for stage, microbatch in np.argwhere(np.isnan(array)):
        raise ValueError(f"{path}: {kind} of stage {stage}, microbatch {microbatch} is missing")
    return array


def read_durations(path: Path) -> Durations:
    """Reads a durations file.

    Raises ValueError naming the file, the line and the value at fault: an unknown kind, a number
    that is none, a task that is given twice or is missing.
    """
    cells: dict[str, dict[tuple[int, int], float]] = {}
    with path.open(newline="") as stream:
        for row in (reader := csv.reader(stream)):
            if not row or (reader.line_num == 1 and row[0].strip() == "kind"):
                continue
            place = f"{path}: line {reader.line_num}"
            kind, stage, microbatch, ms = _parse_row(row, place)
            of_kind = cells.setdefault(kind, {})
            if (stage, microbatch) in of_kind:
                raise ValueError(f"{place}: {kind},{stage},{microbatch} is given twice")
            of_kind[stage, microbatch] = ms
    for kind in ("F", "B"):
        if kind not in cells:
            raise ValueError(f"{path}: no row of kind {kind}")
    shape = tuple(1 + max(key[axis] for key in cells["F"]) for axis in (0, 1))
    return Durations({kind: _to_array(path, kind, cells[kind], shape) for kind in cells})


def write_durations(path: Path, durations: Durations) -> None:
    """Writes a durations file that `read_durations` and `rrfp simulate --durations` read."""
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("kind", "stage", "microbatch", "ms"))
        for kind, array in durations.milliseconds.items():
            for (stage, microbatch), ms in np.ndenumerate(array):
                writer.writerow((kind, stage, microbatch, repr(float(ms))))
