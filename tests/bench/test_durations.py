"""Invariant: a durations file gives exactly the table it holds, or is refused by line and value."""

import numpy as np
import pytest
from rrfp_bench.durations import Durations, read_durations, write_durations


def _file(tmp_path, text):
    path = tmp_path / "durations.csv"
    path.write_text(text)
    return path


def test_what_is_written_is_read_back_to_the_last_bit(tmp_path):
    random = np.random.default_rng(1)
    kinds = ("F", "B", "W", "SEND_F", "SEND_B")
    written = Durations({kind: random.lognormal(size=(3, 5)) for kind in kinds})
    write_durations(tmp_path / "a.csv", written)
    read = read_durations(tmp_path / "a.csv")
    assert (read.stages, read.microbatches, read.split_weight) == (3, 5, True)
    for kind in kinds:
        np.testing.assert_array_equal(read.milliseconds[kind], written.milliseconds[kind])


def test_rows_may_come_in_any_order_without_a_header(tmp_path):
    read = read_durations(_file(tmp_path, "B,0,1,4\nF,0,1,2\nF,0,0,1\nB,0,0,3\n"))
    assert read.milliseconds["F"].tolist() == [[1, 2]]
    assert read.milliseconds["B"].tolist() == [[3, 4]]


def test_messages_that_cross_no_link_delay_nothing(tmp_path):
    base = "F,0,0,1\nB,0,0,1\nF,1,0,1\nB,1,0,1\n"
    inside = read_durations(_file(tmp_path, base + "SEND_F,1,0,7\nSEND_B,0,0,7\n"))
    assert not inside.delayed_messages()
    across = read_durations(_file(tmp_path, base + "SEND_F,0,0,7\n"))
    assert across.delayed_messages()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("F,0,0,1\nX,0,0,1\n", "line 2: unknown kind 'X'"),
        ("F,0,0\n", "line 1: expected kind,stage,microbatch,ms"),
        ("F,0,0,soon\n", "line 1: could not convert"),
        ("F,0,0,-1\n", "line 1: .*not negative"),
        ("F,0,0,nan\n", "line 1: .*finite"),
        ("F,0,0,1\nF,0,0,2\n", "line 2: F,0,0 is given twice"),
        ("F,0,0,1\n", "no row of kind B"),
        ("F,0,0,1\nF,0,1,1\nB,0,1,1\n", "B of stage 0, microbatch 0 is missing"),
        ("F,0,0,1\nB,0,0,1\nB,1,0,1\n", "B of stage 1, microbatch 0 has no F"),
        ("", "no row of kind F"),
    ],
)
def test_bad_files_are_refused(tmp_path, text, said):
    with pytest.raises(ValueError, match=said):
        read_durations(_file(tmp_path, text))
