"""Comparisons of what ranks found out."""

import pytest


def same(ranks, one, other):
    """Losses and parameters are bitwise equal on every rank."""
    for rank, found in enumerate(ranks):
        assert found[one] == found[other], f"rank {rank}: {one} against {other}"


def close(ranks, one, other, relative=1e-6):
    """Losses agree but for the rounding of sums taken in another order."""
    for found in ranks:
        assert found[one]["losses"] == pytest.approx(found[other]["losses"], rel=relative)
