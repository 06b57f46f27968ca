"""Dropout in any order of tasks, Megatron's own random numbers, and runs that are resumed."""

import hashlib

from training import Job, layout, options, ours, train, uneven

import torch
from megatron.core import tensor_parallel


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
        states = [_generators()]
        job.call(forward_only=True)
        states.append(_generators())
        job.train(1)
        states.append(_generators())
        job.train(1)
        states.append(_generators())
        results["streams"] = states


def _generators():
    """A hash of each stream's state."""
    states = {"default": torch.get_rng_state(), **tensor_parallel.get_cuda_rng_tracker().get_states()}
    return {name: hashlib.sha256(state.numpy().tobytes()).hexdigest() for name, state in states.items()}


def _saved_generators():
    """As Megatron's checkpoints and its rerun machine keep them."""
    return torch.get_rng_state(), tensor_parallel.get_cuda_rng_tracker().get_states()


def _put_back(generators):
    torch.set_rng_state(generators[0])
    tensor_parallel.get_cuda_rng_tracker().set_states(generators[1])


def rerun(results):
    """One iteration twice from the same states, as the rerun machine has it, and then the next."""
    dropping = options(pipeline=2, dropout=0.1)
    with layout(dropping):
        job = Job(dropping, ours(), step=uneven())
        generators = _saved_generators()
        runs = []
        for _ in range(2):
            _put_back(generators)
            runs.append([float(entry["loss"]) for entry in job.call()])
        results["run and rerun"] = runs
        results["run next"] = [float(entry["loss"]) for entry in job.call()]


def resumed(results):
    """Two iterations, an evaluation, their state into new objects, two more."""
    dropping = options(pipeline=2, dropout=0.1)
    results["uninterrupted"] = train(dropping, ours(deterministic=True), iterations=4)
    with layout(dropping):
        first = Job(dropping, ours(deterministic=True)).train(2)
        first.call(forward_only=True)
        model = [module.state_dict() for module in first.model]
        optimizer = first.optimizer.state_dict()
        generators = _saved_generators()
    with layout(dropping):
        second = Job(dropping, ours(deterministic=True))
        _put_back(generators)
        for module, state in zip(second.model, model):
            module.load_state_dict(state)
        second.optimizer.load_state_dict(optimizer)
        second.iteration = 2
        results["resumed"] = second.train(2).result()
