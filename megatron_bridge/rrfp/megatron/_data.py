"""The data of a chunk: pulled once for each microbatch and in order, whatever order forwards run in."""

import typing


class DataEnded(RuntimeError):
    """The data iterator had fewer microbatches than the iteration."""


class MicrobatchSource:
    """One chunk's data iterator, of which each forward sees its own microbatch."""

    def __init__(self, iterator: typing.Iterator, rank: int, iteration: int):
        self._iterator = iterator
        self._rank, self._iteration = rank, iteration
        self._pulled = 0
        self._waiting: dict[int, typing.Any] = {}

    def of(self, microbatch: int) -> "_OneMicrobatch":
        """What the forward of `microbatch` gets as its data iterator."""
        return _OneMicrobatch(self, microbatch)

    def take(self, microbatch: int) -> typing.Any:
        while self._pulled <= microbatch:
            try:
                self._waiting[self._pulled] = next(self._iterator)
            except StopIteration:
                raise DataEnded(
                    f"the data iterator ended on rank {self._rank} at microbatch {self._pulled} of "
                    f"iteration {self._iteration} (both counted from 0)"
                ) from None
            self._pulled += 1
        try:
            return self._waiting.pop(microbatch)
        except KeyError:
            raise RuntimeError(
                f"forward_step_func called next() twice for microbatch {microbatch} on rank "
                f"{self._rank}; take everything that a microbatch needs in one item"
            ) from None


class _OneMicrobatch:
    """An iterator over one microbatch, taken from the source when it is asked for."""

    def __init__(self, source: MicrobatchSource, microbatch: int):
        self._source, self._microbatch = source, microbatch

    def __iter__(self):
        return self

    def __next__(self):
        return self._source.take(self._microbatch)


class NoData:
    """In the place of a source where the script has no data iterator."""

    def of(self, microbatch: int) -> None:
        return None
