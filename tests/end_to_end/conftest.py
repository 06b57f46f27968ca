import signal

import pytest

from command import PROGRAM, Rrfp
from training_jobs import GPT, book


@pytest.fixture(scope="session", autouse=True)
def signals_as_in_a_terminal():
    """What is ignored here, as in a background job, stays ignored in what is started from here."""
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)}
    for each, handler in before.items():
        if handler == signal.SIG_IGN:
            signal.signal(each, signal.default_int_handler if each == signal.SIGINT else signal.SIG_DFL)
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


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
