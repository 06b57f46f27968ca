"""What eight ranks find out: two pipeline ranks, two tensor ranks, two replicas."""

import training
from training import options, ours, train, uneven

import meeting

import rrfp.megatron


def all_at_once(results):
    for name, chosen in (
        ("plain", options(pipeline=2, tensor=2)),
        ("chunks", options(pipeline=2, tensor=2, chunks=2)),
    ):
        results[f"{name} stock"] = train(chosen)
        results[name] = train(chosen, ours(deterministic=True), step=uneven())
        results[f"{name} order"] = [
            repr(task) for task, _, _ in rrfp.megatron.last_iteration().tasks
        ]
    results["one rank"] = train(options(pipeline=1))


def experts(results):
    """Four replicas of two pipeline ranks that divide experts."""
    chosen = options(pipeline=2, experts=4, expert_ranks=4)
    results["experts stock"] = train(chosen, **meeting.MIXTURE)
    results["experts"] = train(chosen, ours(deterministic=True), step=uneven(), **meeting.MIXTURE)


if __name__ == "__main__":
    training.run([all_at_once, experts])
