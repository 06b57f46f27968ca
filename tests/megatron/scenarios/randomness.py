"""Dropout in any order of tasks, Megatron's own random numbers, and runs that are resumed."""

from training import Job, layout, options, ours, train, uneven

import torch
from megatron.core import tensor_parallel

import rrfp.megatron


def dropout(results):
    dropping = options(pipeline=2, dropout=0.1)
    results["dropout fixed"] = train(dropping, ours(arbiter="fixed"))
    results["dropout free"] = train(dropping, ours(deterministic=True), step=uneven())
    results["dropout recomputed"] = train(
        dropping,
        ours(deterministic=True),
        step=uneven(),
        recompute_granularity="full",
        recompute_method="uniform",
        recompute_num_layers=1,
    )
    results["dropout stock"] = train(dropping)
    results["dropout running"] = train(dropping, ours(arbiter="fixed", keyed_random=False))
    with layout(dropping):
        job = Job(dropping, ours())
        before = torch.get_rng_state(), tensor_parallel.get_cuda_rng_tracker().get_states()
        job.train(1)
        after = torch.get_rng_state(), tensor_parallel.get_cuda_rng_tracker().get_states()
        results["stream restored"] = torch.equal(before[0], after[0]) and all(
            torch.equal(state, after[1][name]) for name, state in before[1].items()
        )


def resumed(results):
    """Two iterations, their state into new objects, two more."""
    dropping = options(pipeline=2, dropout=0.1)
    results["uninterrupted"] = train(dropping, ours(deterministic=True), iterations=4)
    rrfp.megatron.set_iteration(0)
    with layout(dropping):
        first = Job(dropping, ours(deterministic=True)).train(2)
        model = [module.state_dict() for module in first.model]
        optimizer = first.optimizer.state_dict()
    with layout(dropping):
        rrfp.megatron.set_iteration(2)
        second = Job(dropping, ours(deterministic=True))
        for module, state in zip(second.model, model):
            module.load_state_dict(state)
        second.optimizer.load_state_dict(optimizer)
        second.iteration = 2
        results["resumed"] = second.train(2).result()
