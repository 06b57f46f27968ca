"""The data of a chunk: each forward gets what it would get if forwards ran in microbatch order."""

import collections
import typing


class DataEnded(RuntimeError):
    """The data iterator had fewer microbatches than the iteration."""


class DataOrder(RuntimeError):
    """A forward cannot get the data that it would get in microbatch order."""


_REMEDY = (
    "Which data are whose is known only in microbatch order: set arbiter = \"fixed\", or have every "
    "microbatch take the same number of items by next()"
)


class MicrobatchSource:
    """One chunk's data iterator.

    A forward that runs in its turn has the script's own iterator: it may take no item, several, or call
    methods that the iterator has beside `next`. One that runs ahead of others leaves them as many items as
    the forward before took; where it turns out that they take another number, that is an error.
    """

    def __init__(self, iterator: typing.Iterator, rank: int, iteration: int):
        self._iterator = iterator
        self._rank, self._iteration = rank, iteration
        self._turn = 0  # the lowest microbatch that has not run and was left nothing
        self._each = 1  # items that the last forward in its turn took
        self._own_methods = False  # the items that it took are not counted
        self._taken: collections.Counter[int] = collections.Counter()
        self._left: dict[int, list] = {}
        self._ahead: set[int] = set()  # microbatches that have run before their turn and took nothing

    def of(self, microbatch: int) -> "_OneMicrobatch":
        """What the forward of `microbatch` gets as its data iterator."""
        return _OneMicrobatch(self, microbatch)

    def take(self, microbatch: int) -> typing.Any:
        """Its next item."""
        if microbatch in self._left:
            if not self._left[microbatch]:
                raise self._fault(microbatch, "it takes more items than those before it")
            return self._left[microbatch].pop(0)
        self._reach(microbatch)
        self._taken[microbatch] += 1
        return self._pull(microbatch)

    def attribute(self, microbatch: int, name: str) -> typing.Any:
        """What the script's iterator has under `name`; a method only where it is the microbatch's turn."""
        found = getattr(self._iterator, name)
        if callable(found):
            if microbatch != self._turn:
                raise self._fault(microbatch, f"it calls the iterator's own {name}()")
            self._own_methods = True
        return found

    def ended(self, microbatch: int) -> None:
        """Its forward has run."""
        if microbatch in self._left:
            if self._left.pop(microbatch):
                raise self._fault(microbatch, "it takes fewer items than those before it")
        elif microbatch == self._turn:
            self._each = self._taken[microbatch]
            self._next_turn()
        else:
            self._ahead.add(microbatch)

    def _reach(self, microbatch: int) -> None:
        """Makes it the microbatch's turn: leaves their items to those that it has overtaken."""
        while self._turn < microbatch:
            if self._own_methods:
                raise self._fault(microbatch, "it runs ahead, and the iterator has methods of its own")
            self._left[self._turn] = [self._pull(self._turn) for _ in range(self._each)]
            self._next_turn()

    def _next_turn(self) -> None:
        self._turn += 1
        while self._turn in self._ahead:
            self._turn += 1

    def _pull(self, microbatch: int) -> typing.Any:
        try:
            return next(self._iterator)
        except StopIteration:
            raise DataEnded(
                f"the data iterator ended on rank {self._rank} at microbatch {microbatch} of "
                f"iteration {self._iteration} (both counted from 0)"
            ) from None

    def _fault(self, microbatch: int, what: str) -> DataOrder:
        return DataOrder(
            f"the data of microbatch {microbatch} on rank {self._rank}, iteration {self._iteration}: {what}, "
            f"and forwards have run out of order. {_REMEDY}"
        )


class _OneMicrobatch:
    """The script's iterator as one forward sees it."""

    def __init__(self, source: MicrobatchSource, microbatch: int):
        self._source, self._microbatch = source, microbatch

    def __iter__(self):
        return self

    def __next__(self):
        return self._source.take(self._microbatch)

    def __getattr__(self, name: str):
        return self._source.attribute(self._microbatch, name)


class NoData:
    """In the place of a source where the script has no data iterator."""

    def of(self, microbatch: int) -> None:
        return None

    def ended(self, microbatch: int) -> None:
        pass
