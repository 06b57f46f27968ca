"""What four ranks find out under another release of Megatron-Core; test_releases.py judges it."""

import training
from training import options, ours, train, uneven

import megatron.core

import rrfp.megatron


def release(results):
    results["release"] = megatron.core.__version__


def pipelines(results):
    """Two pipeline ranks, two replicas."""
    for name, chosen in (
        ("plain", options(pipeline=2)),
        ("chunks", options(pipeline=2, chunks=2)),
    ):
        results[f"{name} stock"] = train(chosen)
        results[name] = train(chosen, ours(deterministic=True), step=uneven())
        results[f"{name} split"] = train(
            chosen, ours(split_weight=True, deterministic=True), step=uneven()
        )


def tensor(results):
    chosen = options(pipeline=2, tensor=2)
    results["tensor stock"] = train(chosen)
    results["tensor"] = train(chosen, ours(deterministic=True), step=uneven())
    results["order"] = [repr(task) for task, _, _ in rrfp.megatron.last_iteration().tasks]


if __name__ == "__main__":
    training.run([release, pipelines, tensor])
