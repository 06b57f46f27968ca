"""What ranks that divide experts or sequences among them find out; test_experts.py judges it."""

import training
from training import options, ours, train, uneven

import divided_attention

import torch
from megatron.core.transformer.moe import moe_utils, token_dispatcher

import rrfp.megatron

# Looked up without Transformer Engine too.
if not hasattr(moe_utils, "te_general_gemm"):
    moe_utils.te_general_gemm = None

_moved = token_dispatcher.maybe_move_tensor_to_cpu


def _on_host(tensor, as_numpy=False, **more):
    """What a GPU hands over as numbers is a tensor still where everything is on the host."""
    if as_numpy and isinstance(tensor, torch.Tensor):
        return tensor.numpy()
    return _moved(tensor, as_numpy=as_numpy, **more)


token_dispatcher.maybe_move_tensor_to_cpu = _on_host


def order():
    return [repr(task) for task, _, _ in rrfp.megatron.last_iteration().tasks]


MIXTURE = {
    "moe_router_load_balancing_type": "aux_loss",
    "moe_aux_loss_coeff": 0.01,
    "add_bias_linear": False,
}


def experts(results):
    """Two replicas that exchange tokens inside tasks."""
    for dispatcher in ("allgather", "alltoall"):
        for chunks in (1, 2):
            chosen = options(pipeline=2, chunks=chunks, experts=4, expert_ranks=2)
            model = {"moe_token_dispatcher_type": dispatcher, **MIXTURE}
            name = f"{dispatcher} {chunks}"
            results[f"{name} stock"] = train(chosen, **model)
            results[name] = train(chosen, ours(deterministic=True), step=uneven(), **model)
            results[f"{name} order"] = order()


def context(results):
    """Two ranks that divide each sequence, and gather keys and values inside tasks."""
    for chunks in (1, 2):
        chosen = options(pipeline=2, chunks=chunks, context=2)
        model = {"specification": divided_attention.specification}
        step = divided_attention.forward_step
        name = f"context {chunks}"
        results[f"{name} stock"] = train(chosen, step=step, **model)
        results[name] = train(chosen, ours(deterministic=True), step=uneven(step), **model)
        results[f"{name} order"] = order()
    results["one rank"] = train(options(pipeline=1), **model)


if __name__ == "__main__":
    training.run([experts, context])
