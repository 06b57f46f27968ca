"""What the ranks of two long runs found out, for all tests that judge it."""

import pytest
from megatron_ranks import found_out


@pytest.fixture(scope="session")
def two_ranks(tmp_path_factory):
    return found_out("two_ranks.py", 2, tmp_path_factory.mktemp("two"))


@pytest.fixture(scope="session")
def four_ranks(tmp_path_factory):
    return found_out("four_ranks.py", 4, tmp_path_factory.mktemp("four"))


@pytest.fixture(scope="session", autouse=True)
def needs_megatron():
    pytest.importorskip("megatron.core", reason="Megatron-Core is not installed")
    pytest.importorskip("rrfp", reason="the Python package is not installed; run scripts/setup")
