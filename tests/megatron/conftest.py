"""What the ranks of long runs found out, for all tests that judge it; and which tests run at night."""

import pytest
from megatron_ranks import found_out


def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: runs where pytest is called with -m nightly")


def pytest_collection_modifyitems(config, items):
    if "nightly" in config.option.markexpr:
        return
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.skip(reason="for the night; run pytest with -m nightly"))


@pytest.fixture(scope="session")
def two_ranks(tmp_path_factory):
    return found_out("two_ranks.py", 2, tmp_path_factory.mktemp("two"))


@pytest.fixture(scope="session")
def four_ranks(tmp_path_factory):
    return found_out("four_ranks.py", 4, tmp_path_factory.mktemp("four"))


@pytest.fixture(scope="session")
def meeting_ranks(tmp_path_factory):
    return found_out("meeting.py", 4, tmp_path_factory.mktemp("meeting"))


@pytest.fixture(scope="session", autouse=True)
def needs_megatron():
    pytest.importorskip("megatron.core", reason="Megatron-Core is not installed")
    pytest.importorskip("rrfp", reason="the Python package is not installed; run scripts/setup")
