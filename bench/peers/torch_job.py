"""What the runner tells the rank processes, and what they tell it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

SCHEDULES = ("1f1b", "interleaved-1f1b", "zbv")


@dataclass(frozen=True)
class TorchJob:
    """One run of PyTorch's pipelining; the durations files give stages and microbatches."""

    schedule: str
    ranks: int
    message_bytes: int
    durations: tuple[str, ...]  # one file an iteration
    folder: str  # for rendezvous and results

    def stages_of(self, rank: int, stages: int) -> list[int]:
        """The stages that `rank` holds, in the order PyTorch wants them."""
        if self.schedule == "zbv":
            return [rank, stages - 1 - rank]
        return list(range(rank, stages, self.ranks))

    def check(self, stages: int) -> None:
        """Raises ValueError where the schedule cannot run that many stages on these ranks."""
        if self.schedule not in SCHEDULES:
            raise ValueError(
                f"unknown schedule {self.schedule!r}; the schedules are {', '.join(SCHEDULES)}"
            )
        wanted = {"1f1b": self.ranks, "zbv": 2 * self.ranks}.get(self.schedule)
        if (wanted is not None and stages != wanted) or stages % self.ranks != 0:
            raise ValueError(
                f"{self.schedule} on {self.ranks} ranks needs "
                f"{wanted or f'a multiple of {self.ranks}'} stages; the durations have {stages}"
            )
        if self.message_bytes < 4 or self.message_bytes % 4 != 0:
            raise ValueError(f"message_bytes {self.message_bytes}: must be a multiple of 4")

    def write(self) -> Path:
        path = Path(self.folder) / "job.json"
        path.write_text(json.dumps(asdict(self)))
        return path

    @staticmethod
    def read(path: Path) -> TorchJob:
        fields = json.loads(path.read_text())
        return TorchJob(**{**fields, "durations": tuple(fields["durations"])})


def result_file(folder: Path, rank: int) -> Path:
    """Where `rank` leaves its (start, end) of each iteration, nanoseconds of CLOCK_MONOTONIC."""
    return folder / f"rank{rank}.json"


def failure_file(folder: Path) -> Path:
    """Where the rank that fails first leaves its traceback."""
    return folder / "failure.txt"


def iteration_ms(times: list[list[list[int]]]) -> list[float]:
    """Milliseconds of each iteration from rank 0's start to the last rank's end.

    `times[rank][iteration]` is (start, end) in nanoseconds.
    """
    return [
        (max(end for _, end in ranks) - ranks[0][0]) * 1e-6 for ranks in zip(*times, strict=True)
    ]
