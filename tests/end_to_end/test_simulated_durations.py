"""Guards: `rrfp simulate JOB --durations FILE.csv` of a fixed order ends when the longest path over its
tasks does, computed here from the order alone: several stages a rank, a V, split backwards."""

import csv
import random

import pytest

from command import sets


def random_durations(stages, microbatches, split, seed):
    """One of each kind for all, those that no message takes included."""
    draw = random.Random(seed)
    kinds = {"F": 8, "B": 12, **({"W": 9} if split else {}), "SEND_F": 4, "SEND_B": 5}
    return {(kind, stage, m): draw.uniform(0.1, most) for kind, most in kinds.items()
            for stage in range(stages) for m in range(microbatches)}


def write(file, durations):
    with open(file, "w", newline="") as text:
        rows = csv.writer(text)
        rows.writerow(["kind", "stage", "microbatch", "ms"])
        rows.writerows((*key, repr(ms)) for key, ms in durations.items())


def parse(cell):
    kind = next(letter for letter in cell if letter.isalpha())
    stage, m = cell.split(kind)
    return kind, int(stage), int(m)


def orders(rrfp, schedule, stages, ranks, microbatches, split):
    """The rows of the schedule. With the split a whole backward is its two halves; without it a `W`
    falls away, and an `I` is the whole."""
    done = rrfp("schedule", schedule, "--stages", stages, "--ranks", ranks, "--microbatches",
                microbatches, "--csv")
    rows = [[parse(cell) for cell in row.split(",")] for row in done.stdout.splitlines()]
    kinds = {"F": "F", "I": "B", "B": "BW" if split else "B", "W": "W" if split else ""}
    return [[(each, stage, m) for kind, stage, m in row for each in kinds[kind]] for row in rows]


def sources(task, last):
    """What a task reads, and the message that brings it where another rank made it."""
    kind, stage, m = task
    if kind == "F":
        return [(("F", stage - 1, m), ("SEND_F", stage - 1, m))] if stage else []
    if kind == "W":
        return [(("B", stage, m), None)]
    if stage == last:
        return [(("F", stage, m), None)]
    return [(("B", stage + 1, m), ("SEND_B", stage + 1, m)), (("F", stage, m), None)]


def longest_path(orders, durations):
    """Relaxes every task, after its inputs and what its rank runs before it, until nothing moves."""
    rank_of = {task[1]: rank for rank, order in enumerate(orders) for task in order}
    last = max(rank_of)
    end = dict.fromkeys((task for order in orders for task in order), 0.0)
    moved = True
    while moved:
        moved = False
        for rank, order in enumerate(orders):
            for previous, task in zip([None, *order], order):
                begin = end[previous] if previous else 0.0
                for source, message in sources(task, last):
                    travels = message and rank_of[source[1]] != rank
                    begin = max(begin, end[source] + (durations[message] if travels else 0))
                moved |= end[task] != begin + durations[task]
                end[task] = begin + durations[task]
    return max(end.values())


@pytest.mark.parametrize("schedule, ranks, chunks, microbatches, split, placement", [
    ("1f1b", 4, 1, 7, False, "loop"),
    ("gpipe", 3, 1, 5, False, "loop"),
    ("zb-h1", 4, 1, 8, True, "loop"),
    ("interleaved-1f1b", 4, 2, 8, False, "loop"),
    ("interleaved-1f1b", 4, 2, 6, False, "loop"),
    ("interleaved-1f1b", 2, 3, 6, True, "loop"),
    ("zbv", 4, 2, 8, True, "v"),
    ("zbv", 3, 2, 6, False, "v"),
])
def test_a_fixed_order_ends_with_its_longest_path(rrfp, schedule, ranks, chunks, microbatches, split,
                                                  placement):
    stages = ranks * chunks
    for seed in range(3):
        durations = random_durations(stages, microbatches, split, seed)
        write(rrfp.folder / "given.csv", durations)
        texts = [f"parallel.pipeline={ranks}", f"parallel.placement={placement}",
                 f"parallel.chunks={chunks}", f"train.microbatches={microbatches}",
                 "train.iterations=1", "schedule.arbiter=fixed", f"schedule.hint={schedule}",
                 f"schedule.split_weight={str(split).lower()}"]
        report = rrfp.report("simulate", "job.toml", "--durations", "given.csv", *sets(*texts))
        lists = orders(rrfp, schedule, stages, ranks, microbatches, split)
        assert report["summary"]["median_ms"] == pytest.approx(longest_path(lists, durations),
                                                               rel=1e-6)
