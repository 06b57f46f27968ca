import pytest

from command import PROGRAM, Rrfp
from training_jobs import GPT, book


@pytest.fixture
def rrfp(tmp_path):
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built")
    return Rrfp(tmp_path)


@pytest.fixture
def gpt(rrfp):
    """The folder of `rrfp` with a GPT's job and its text."""
    rrfp.write(GPT)
    (rrfp.folder / "book.txt").write_text(book())
    return rrfp
