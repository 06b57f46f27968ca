"""Guards: pipelines, tensor groups, replicas and chunks at once train as Megatron's schedules do."""

import pytest
from judging import close, same
from megatron_ranks import found_out

# World ranks of a tensor group stand next to each other, those of two replicas two apart.
TENSOR_GROUPS = ((0, 1), (2, 3), (4, 5), (6, 7))
REPLICAS = ((0, 2), (1, 3), (4, 6), (5, 7))


@pytest.fixture(scope="module")
def eight_ranks(tmp_path_factory):
    return found_out("eight_ranks.py", 8, tmp_path_factory.mktemp("eight"))


@pytest.mark.parametrize("name", ["plain", "chunks"])
def test_eight_ranks_equal_stock(eight_ranks, name):
    same(eight_ranks, name, f"{name} stock")
    close(eight_ranks, name, "one rank")


@pytest.mark.parametrize("name", ["plain", "chunks"])
def test_tensor_groups_run_one_order_and_replicas_stay_identical(eight_ranks, name):
    for one, other in TENSOR_GROUPS:
        assert eight_ranks[one][f"{name} order"] == eight_ranks[other][f"{name} order"]
    for one, other in REPLICAS:
        assert eight_ranks[one][name]["parameters"] == eight_ranks[other][name]["parameters"]


def test_experts_divided_over_four_replicas_equal_stock(eight_ranks):
    same(eight_ranks, "experts", "experts stock")
