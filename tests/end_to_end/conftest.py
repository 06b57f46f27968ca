import pytest

from command import PROGRAM, Rrfp


@pytest.fixture
def rrfp(tmp_path):
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built")
    return Rrfp(tmp_path)
