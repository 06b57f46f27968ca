"""Guards: ranks whose tasks meet in collectives across replicas (experts) or within a sequence (context) run
one order, which is none that was fixed before, and train as Megatron's schedules do, bit for bit.
"""

import pytest
from judging import close, same

NAMES = [
    f"{what} {chunks}" for what in ("allgather", "alltoall", "context") for chunks in (1, 2)
]


@pytest.mark.parametrize("name", NAMES)
def test_they_equal_stock(meeting_ranks, name):
    same(meeting_ranks, name, f"{name} stock")


@pytest.mark.parametrize("name", NAMES)
def test_they_ran_one_order(meeting_ranks, name):
    # Pipeline rank 0 is on the ranks 0 and 1, pipeline rank 1 on 2 and 3.
    first, second, third, fourth = (found[f"{name} order"] for found in meeting_ranks)
    assert first == second and third == fourth and len(first) > 0


def test_a_divided_sequence_computes_what_one_rank_computes(meeting_ranks):
    whole = meeting_ranks[0]["one rank"]["losses"]
    for chunks in (1, 2):
        # Each part of a sequence gives a mean of its own, and the script adds them.
        halves = [loss / 2 for loss in meeting_ranks[0][f"context {chunks}"]["losses"]]
        assert halves == pytest.approx(whole, rel=1e-6)
