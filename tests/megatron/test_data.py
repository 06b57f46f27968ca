"""Guards: whatever order forwards run in, each gets the data that it would get in microbatch order, or an
error says that this cannot be; never other data without a word."""

import itertools
import random

import pytest
from rrfp.megatron._data import DataEnded, DataOrder, MicrobatchSource


def run(order, items_of, iterator):
    """What each microbatch took, by its forward's `items_of(microbatch)` calls of next."""
    source = MicrobatchSource(iterator, rank=3, iteration=7)
    got = {}
    for microbatch in order:
        mine = source.of(microbatch)
        got[microbatch] = [next(mine) for _ in range(items_of(microbatch))]
        source.ended(microbatch)
    return got


def in_order(microbatches, items_of):
    return run(range(microbatches), items_of, itertools.count())


@pytest.mark.parametrize("items", [0, 1, 2, 3])
def test_any_order_gets_what_microbatch_order_gets(items):
    draws = random.Random(items)
    for _ in range(200):
        order = list(range(6))
        draws.shuffle(order)
        # The number of items is learnt from the first forward.
        order = [0, *[each for each in order if each != 0]] if items != 1 else order
        got = run(order, lambda microbatch: items, itertools.count())
        assert got == in_order(6, lambda microbatch: items), order


def test_in_microbatch_order_any_numbers_of_items_go():
    items = [2, 0, 1, 3, 0, 1]
    got = in_order(6, items.__getitem__)
    assert list(itertools.chain(*got.values())) == list(range(7))


def test_other_numbers_out_of_order_are_wrong_never_silently():
    draws = random.Random(1)
    refused = 0
    for _ in range(500):
        items = [draws.randrange(3) for _ in range(5)]
        order = list(range(5))
        draws.shuffle(order)
        try:
            got = run(order, items.__getitem__, itertools.count())
        except DataOrder as error:
            refused += 1
            assert "rank 3, iteration 7" in str(error) and "arbiter" in str(error)
        else:
            assert got == in_order(5, items.__getitem__), (order, items)
    assert 0 < refused < 500


class Fetching:
    """As the iterators of frameworks that fetch by keys."""

    def __init__(self):
        self.name, self.fetched = "mine", 0

    def __next__(self):
        raise AssertionError("not this one's protocol")

    def get_next(self, keys):
        self.fetched += 1
        return {key: self.fetched for key in keys}


def test_an_iterators_own_methods_are_there_in_turn():
    source = MicrobatchSource(Fetching(), rank=0, iteration=0)
    for microbatch in range(3):
        assert source.of(microbatch).get_next(["tokens"]) == {"tokens": microbatch + 1}
        source.ended(microbatch)
    ahead = source.of(4)
    assert ahead.name == "mine"
    assert not hasattr(ahead, "nothing")
    with pytest.raises(DataOrder, match=r"microbatch 4 .* get_next\(\)"):
        ahead.get_next(["tokens"])


def test_the_end_of_the_data_is_an_error_of_its_microbatch():
    source = MicrobatchSource(iter([1, 2]), rank=2, iteration=5)
    with pytest.raises(DataEnded, match="on rank 2 at microbatch 2 of iteration 5"):
        next(source.of(3))
