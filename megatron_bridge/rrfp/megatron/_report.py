"""What a rank did, iteration by iteration, in a file of its own."""

import json
import pathlib

from rrfp import _native


class Report:
    """Writes `rank-N.json` into a folder, whole after every iteration; nothing without a folder."""

    def __init__(self, folder: str, rank: int):
        self._iterations: list[dict] = []
        self._rank = rank
        self._file = None
        if folder:
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            self._file = pathlib.Path(folder, f"rank-{rank}.json")

    def add(
        self, iteration: _native.Iteration, forward_only: bool, arbiter: str, limits: list[int]
    ) -> None:
        if self._file is None:
            return
        tasks = iteration.tasks
        self._iterations.append(
            {
                "forward_only": forward_only,
                "arbiter": arbiter,
                "limits": limits,
                "milliseconds": tasks[-1][2] - tasks[0][1] if tasks else 0.0,
                "compute_ms": iteration.compute_ms,
                "blocking_ms": iteration.blocking_ms,
                "tp_coordination_ms": iteration.tp_coordination_ms,
                "in_flight_high_water": iteration.in_flight_high_water,
                "buffers": iteration.buffers,
                "order": [repr(task) for task, _, _ in tasks],
                "start_ms": [start for _, start, _ in tasks],
                "end_ms": [end for _, _, end in tasks],
            }
        )
        partial = self._file.with_suffix(".partial")
        partial.write_text(json.dumps({"rank": self._rank, "iterations": self._iterations}, indent=1))
        partial.replace(self._file)
