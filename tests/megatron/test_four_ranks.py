"""Guards: deep pipelines, tensor-parallel groups that agree, and replicas whose tasks run in orders of
their own train as Megatron's schedules do; replicas stay bit-identical.
"""

import pytest
from judging import close, same


@pytest.mark.parametrize("name", ["depth deterministic", "depth tight", "depth tightest", "depth split"])
def test_four_pipeline_ranks_equal_stock(four_ranks, name):
    same(four_ranks, name, "depth stock")
    close(four_ranks, name, "one rank")


@pytest.mark.parametrize("name", ["tensor board", "tensor allgather", "tensor split"])
def test_a_tensor_group_agrees_and_equals_stock(four_ranks, name):
    same(four_ranks, name, "tensor stock")


def test_activations_cut_over_the_tensor_group_equal_stock(four_ranks):
    same(four_ranks, "sequence", "sequence stock")
    close(four_ranks, "sequence", "one rank")


@pytest.mark.parametrize("agreement", ["board", "allgather"])
def test_ranks_of_a_tensor_group_ran_one_order(four_ranks, agreement):
    order = [found[f"tensor {agreement} order"] for found in four_ranks]
    assert order[0] == order[1]
    assert order[2] == order[3]
    assert len(order[0]) == 16


@pytest.mark.parametrize("name", ["replicas at the end", "replicas overlapped"])
def test_replicas_equal_stock(four_ranks, name):
    same(four_ranks, name, f"{name} stock")
    close(four_ranks, name, "one rank")


@pytest.mark.parametrize("name", ["replicas overlapped", "replicas chunks", "replicas split"])
def test_r24_replicas_stay_bit_identical(four_ranks, name):
    # Pipeline rank 0 is on the ranks 0 and 1, pipeline rank 1 on 2 and 3.
    assert four_ranks[0][name]["parameters"] == four_ranks[1][name]["parameters"]
    assert four_ranks[2][name]["parameters"] == four_ranks[3][name]["parameters"]
    close(four_ranks, name, "one rank")


def test_r24_each_bucket_is_reduced_once_an_iteration(four_ranks):
    for found in four_ranks:
        assert found["reductions"] == found["buckets"]
