"""Four ranks of tasks that compute nothing, under the native runner: no torch, so it starts quickly.

    plain_runner.py fail KIND      stage 2 raises ValueError in that kind's task of microbatch 3, 5 or 1
    plain_runner.py tick           a second Python thread ticks while tasks and a policy run
    plain_runner.py interrupt      rank 1 gets SIGINT in mid-iteration
"""

import os
import signal
import sys
import threading
import time

from rrfp import _native, configuration, process

FAILING = {"F": 3, "B": 5, "W": 1}


def run(joined, body, **more):
    runner = _native.Runner(
        joined.runtime,
        body,
        rank_of_stage=list(range(joined.ranks)),
        world_ranks=list(range(joined.ranks)),
        microbatches=8,
        limits=[4] * joined.ranks,
        **more,
    )
    try:
        return runner.run(0)
    except BaseException as error:
        joined.failed(error)
        raise


def fail(joined, kind):
    def body(task, stage, microbatch, *_):
        if (task, stage, microbatch) == (kind, 2, FAILING[kind]):
            raise ValueError("no such token")
        return [None]

    run(joined, body, split_weight=True)


def tick(joined):
    ticks = [time.monotonic()]
    going = True

    def ticking():
        while going:
            time.sleep(0.05)
            ticks.append(time.monotonic())

    def body(*_):
        end = time.monotonic() + 0.03
        while time.monotonic() < end:
            pass
        return [None]

    def policy(candidates):
        return candidates[-1]

    thread = threading.Thread(target=ticking)
    thread.start()
    run(joined, body, arbiter=policy)
    going = False
    thread.join()
    gap = max(later - earlier for earlier, later in zip(ticks, ticks[1:]))
    print(f"longest gap {gap:.3f}", flush=True)


def interrupt(joined):
    if joined.rank == 1:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()

    def body(*_):
        time.sleep(0.5 if joined.rank == 0 else 0)
        return [None]

    began = time.monotonic()
    try:
        run(joined, body)
    except KeyboardInterrupt:
        print(f"interrupted after {time.monotonic() - began - 0.3:.3f}", flush=True)
        raise


if __name__ == "__main__":
    me = process.join(configuration.Configuration())
    {"fail": fail, "tick": tick, "interrupt": interrupt}[sys.argv[1]](me, *sys.argv[2:])
