"""Limits that are rules: falling along the pipeline, or in bytes; as in a job file."""

import re

_UNITS = {
    "B": 1,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
}


def factor_of(rule: str) -> int | None:
    """The k of `kP-s`, which `P-s` leaves out; None for another rule."""
    found = re.fullmatch(r"([1-9][0-9]{0,5})?P-s", rule)
    return None if found is None else int(found[1] or 1)


def bytes_of(rule: str) -> int | None:
    """The bytes of `512MiB`; None for another rule."""
    found = re.fullmatch(r"([1-9][0-9]{0,8}) *([A-Za-z]+)", rule)
    if found is None or found[2] not in _UNITS:
        return None
    return int(found[1]) * _UNITS[found[2]]


def falling(factor: int, ranks: int) -> list[int]:
    """kP - s at each rank s of P."""
    return [factor * ranks - rank for rank in range(ranks)]
