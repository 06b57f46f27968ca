"""The runners of one configuration: made when they are wanted, ended when others are wanted more."""

import typing

# Training, evaluation, and numbers of microbatches that come back.
MOST = 6


class KeptRunners:
    """Runners by what they were made for. A runner holds handles and shared memory, and a ramp-up of the batch
    wants a new one at every step: the ones used last are kept. Calls come in one order on all ranks, so that
    all end the same, which is collective."""

    def __init__(self):
        self._kept: dict[tuple, typing.Any] = {}  # the one used longest ago first

    def get(self, key: tuple, make: typing.Callable[[], typing.Any]) -> typing.Any:
        runner = self._kept.pop(key, None)
        if runner is None:
            while len(self._kept) >= MOST:
                self._end_oldest()
            runner = make()
        self._kept[key] = runner
        return runner

    def close(self) -> None:
        """Ends all, on all ranks in one order."""
        while self._kept:
            self._end_oldest()

    def _end_oldest(self) -> None:
        del self._kept[next(iter(self._kept))]
