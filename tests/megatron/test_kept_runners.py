"""Guards: numbers of microbatches that never come back keep no runner for ever, one that comes back in time
is not made again, and all ranks end runners in one order."""

import weakref

from rrfp.megatron import _runners


class Runner:
    def __init__(self, key, log):
        self.key = key
        log.append(f"make {key}")
        weakref.finalize(self, log.append, f"end {key}")


def test_n6_the_ones_used_last_are_kept():
    log, kept = [], _runners.KeptRunners()
    for step in range(20):
        for key in ("training", step):
            assert kept.get((key,), lambda key=key: Runner(key, log)).key == key
    assert log.count("make training") == 1
    assert sum(entry.startswith("make") for entry in log) - sum(
        entry.startswith("end") for entry in log
    ) == _runners.MOST


def test_one_ends_before_the_next_is_made_and_the_oldest_first():
    log, kept = [], _runners.KeptRunners()
    for key in range(_runners.MOST + 1):
        kept.get((key,), lambda key=key: Runner(key, log))
    assert log[-2:] == ["end 0", f"make {_runners.MOST}"]
    kept.close()
    assert log[-_runners.MOST:] == [f"end {key}" for key in range(1, _runners.MOST + 1)]
