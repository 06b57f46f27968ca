"""What four ranks find out; test_four_ranks.py judges it."""

import training
from training import Job, layout, options, ours, train, uneven

import cut_sequences
import torch

import rrfp.megatron


def depth(results):
    chosen = options(pipeline=4)
    results["depth stock"] = train(chosen)
    results["depth deterministic"] = train(chosen, ours(deterministic=True), step=uneven())
    results["depth tight"] = train(chosen, ours(deterministic=True, limit="P-s"), step=uneven())
    results["depth tightest"] = train(chosen, ours(deterministic=True, limit=1), step=uneven())
    results["depth split"] = train(
        chosen, ours(split_weight=True, deterministic=True), step=uneven()
    )
    results["one rank"] = train(options(pipeline=1))


def tensor(results):
    chosen = options(pipeline=2, tensor=2)
    results["tensor stock"] = train(chosen)
    for agreement in ("board", "allgather"):
        results[f"tensor {agreement}"] = train(
            chosen, ours(deterministic=True, agreement=agreement), step=uneven()
        )
        results[f"tensor {agreement} order"] = [
            repr(task) for task, _, _ in rrfp.megatron.last_iteration().tasks
        ]
    results["tensor split"] = train(
        chosen, ours(split_weight=True, deterministic=True), step=uneven()
    )


def sequence_parallel(results):
    chosen = options(pipeline=2, tensor=2, sequence_parallel=True)
    model = {"specification": cut_sequences.specification}
    results["sequence stock"] = train(chosen, **model)
    results["sequence"] = train(chosen, ours(deterministic=True), step=uneven(), **model)


def replicas(results):
    """R24: replicas whose backwards run in orders of their own."""
    for overlap in (False, True):
        name = "overlapped" if overlap else "at the end"
        chosen = options(pipeline=2, overlap_grad_reduce=overlap)
        results[f"replicas {name} stock"] = train(chosen)
        results[f"replicas {name}"] = train(chosen, ours(deterministic=True), step=uneven())
    chosen = options(pipeline=2, chunks=2, overlap_grad_reduce=True)
    results["replicas chunks"] = train(chosen, ours(), step=uneven())
    count_reductions(results, chosen)
    results["replicas split"] = train(
        options(pipeline=2, overlap_grad_reduce=True),
        ours(split_weight=True, deterministic=True),
        step=uneven(),
    )


def count_reductions(results, chosen):
    def place(tensor):
        return [tensor.data_ptr(), tensor.numel()]

    reductions = []
    start = torch.distributed.all_reduce

    def counted(tensor, *arguments, **more):
        reductions.append(place(tensor))
        return start(tensor, *arguments, **more)

    with layout(chosen):
        job = Job(chosen, ours(), step=uneven())
        job.train(1)
        groups = [group for module in job.model for group in module.bucket_groups]
        buckets = [place(bucket.grad_data) for group in groups for bucket in group.buckets]
        torch.distributed.all_reduce = counted
        job.train(1)
        torch.distributed.all_reduce = start
    results["buckets"] = sorted(buckets)
    results["reductions"] = sorted(reduced for reduced in reductions if reduced in buckets)


if __name__ == "__main__":
    training.run([depth, tensor, sequence_parallel, replicas])
