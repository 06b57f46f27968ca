"""What the bridge does not run, each with the reason and what to do instead."""

import typing

from rrfp.configuration import ConfigurationError

_OWN_SCHEDULE = (
    "use Megatron's own schedule (start the script without -m rrfp.megatron, or call rrfp.megatron.disable())"
)


class Unsupported(ConfigurationError):
    """The script asks for something that the bridge does not run."""


def _moe_global_aux_loss(config) -> bool:
    kind = getattr(config, "moe_router_load_balancing_type", None)
    return "global_aux_loss" in (kind if isinstance(kind, list) else [kind])


def _cuda_graphs(config) -> bool:
    return bool(
        getattr(config, "enable_cuda_graph", False)
        or getattr(config, "external_cuda_graph", False)
        or getattr(config, "cuda_graph_impl", "none") not in ("none", None)
    )


def _flag(name: str) -> typing.Callable[[typing.Any], bool]:
    return lambda config: bool(getattr(config, name, False))


# (what is found in the model's config, its name, why not, what to do)
_OPTIONS = (
    (
        _flag("overlap_moe_expert_parallel_comm"),
        "overlap_moe_expert_parallel_comm",
        "it schedules inside tasks",
        "set it to False",
    ),
    (
        _flag("hybrid_context_parallel"),
        "hybrid_context_parallel",
        "it brings a schedule of its own",
        "set it to False",
    ),
    (
        _flag("defer_embedding_wgrad_compute"),
        "defer_embedding_wgrad_compute",
        "it pairs activations and gradients by the order in which tasks ran",
        "set it to False; split_weight defers weight gradients safely",
    ),
    (
        _flag("delay_wgrad_compute"),
        "delay_wgrad_compute",
        "it belongs to overlap_moe_expert_parallel_comm",
        "set it to False; split_weight defers weight gradients",
    ),
    (
        lambda config: config.num_microbatches_with_partial_activation_checkpoints is not None,
        "num_microbatches_with_partial_activation_checkpoints",
        "its count of microbatches in flight is that of a fixed 1F1B order",
        "unset it; recompute every microbatch or none",
    ),
    (
        _flag("fine_grained_activation_offloading"),
        "fine_grained_activation_offloading",
        "it expects chunks in a fixed order",
        "set it to False",
    ),
    (_cuda_graphs, "CUDA graphs", "they record or expect one order of tasks", "turn them off"),
    (
        _moe_global_aux_loss,
        'moe_router_load_balancing_type = "global_aux_loss"',
        "its running sum depends on the order of microbatches",
        'use "aux_loss" or "seq_aux_loss"',
    ),
)


def check_config(config) -> None:
    """Throws Unsupported for the first option of the model's config that the bridge cannot run."""
    for found, name, reason, remedy in _OPTIONS:
        if found(config):
            raise Unsupported(
                f"rrfp does not run {name}: {reason}. Remedy: {remedy}, or {_OWN_SCHEDULE}"
            )


def check_model(chunks: list) -> None:
    """Throws Unsupported for models whose stages exchange more than one tensor."""
    from megatron.core.utils import get_attr_wrapped_model

    for chunk in chunks:
        kind = get_attr_wrapped_model(chunk, "model_type", allow_none=True)
        # By name, since Megatron has had this enum in two places.
        if kind is not None and kind.name != "encoder_or_decoder":
            raise Unsupported(
                f"rrfp does not run models of type {kind.name}: their stages exchange more than one "
                f"tensor. Remedy: {_OWN_SCHEDULE}"
            )


def single_tensor(output, stage: int):
    """The one tensor that a stage hands on."""
    import torch

    if isinstance(output, (list, tuple)) and len(output) == 1:
        output = output[0]
    if not isinstance(output, torch.Tensor):
        raise Unsupported(
            f"stage {stage} returned {type(output).__name__}; rrfp passes one tensor from stage to "
            "stage"
        )
    return output
