"""Two ranks of which one fails, as a user's script; test_failures.py says how the job ends.

    failing.py step        forward_step raises on rank 1
    failing.py data        the data iterator raises on rank 0
    failing.py short       the data ends early in the second iteration
    failing.py interrupt   rank 1 gets SIGINT in mid-iteration
"""

import os
import signal
import sys
import time

import training

import torch
import train as example

import rrfp

FAILING = 2  # the microbatch


class TokenError(ValueError):
    """The script's own."""


def now(rank):
    """Tells when it happens, where it does."""
    happens = torch.distributed.get_rank() == rank
    if happens:
        print(f"failing at {time.time():.3f}", flush=True)
    return happens


def raising_step(iterator, module):
    if module.module.decoder.layers[0].current_microbatch == FAILING and now(1):
        raise TokenError("no such token")
    return example.forward_step(iterator, module)


def interrupted_step(iterator, module):
    if module.module.decoder.layers[0].current_microbatch == FAILING and now(1):
        os.kill(os.getpid(), signal.SIGINT)
    return example.forward_step(iterator, module)


def raising_data(text):
    def iteration(number, whole=text.iteration):
        for index, microbatch in enumerate(whole(number)):
            if index == FAILING and now(0):
                raise OSError("the disk is gone")
            yield microbatch

    return iteration


def short_data(text):
    def iteration(number, whole=text.iteration):
        for index, microbatch in enumerate(whole(number)):
            if number == 0 or index < FAILING:
                yield microbatch

    return iteration


STEPS = {"step": raising_step, "interrupt": interrupted_step}
DATA = {"data": raising_data, "short": short_data}


def main(way):
    torch.distributed.init_process_group("gloo")
    chosen = training.options(pipeline=2, batch=4)
    with training.layout(chosen):
        job = training.Job(chosen, step=STEPS.get(way, example.forward_step))
        if way in DATA:
            job.text.iteration = DATA[way](job.text)
        if way == "short":
            job.train(1)
            print("iteration 0 is kept", flush=True)
            job.train(1)
        try:
            job.train(1)
        except (TokenError, OSError) as error:
            print(f"caught {type(error).__name__}: {error}", *error.__notes__, flush=True)
        except rrfp.TaskFailure as error:
            print(f"rank {error.rank} failed in {error.task}", flush=True)
    # Both ranks come here where both have caught their exception.
    torch.distributed.barrier()


if __name__ == "__main__":
    main(sys.argv[1])
