"""What the bridge expects of a release of Megatron-Core, checked before anything is replaced."""

import inspect
import types

NO_PIPELINING = "forward_backward_no_pipelining"
INTERLEAVED = "forward_backward_pipelining_with_interleaving"
PLAIN = "forward_backward_pipelining_without_interleaving"
SCHEDULES = (NO_PIPELINING, INTERLEAVED, PLAIN)
TRIED = ("0.15.3", "0.16.1")

_CALL = {
    "forward_step_func",
    "data_iterator",
    "model",
    "num_microbatches",
    "seq_length",
    "micro_batch_size",
    "decoder_seq_length",
    "forward_only",
    "collect_non_loss_data",
    "first_val_step",
    "adjust_tensor_shapes_fn",
    "pg_collection",
}
# Without pipelining since 0.16, and unused there.
_CALL_OF_PIPELINES = _CALL | {"p2p_communicator"}
_SINCE_0_16 = {"force_all_reduce"}
_FORWARD_STEP = (
    "forward_step_func",
    "data_iterator",
    "model",
    "num_microbatches",
    "input_tensor",
    "forward_data_store",
    "config",
    "cp_group_size",
    "collect_non_loss_data",
    "checkpoint_activations_microbatch",
    "is_first_microbatch",
    "current_microbatch",
    "vp_stage",
    "is_last_stage",
)
_BACKWARD_STEP = ("input_tensor", "output_tensor", "output_tensor_grad", "config")
_BACKWARD_STEP_OF_TYPED_MODELS = (*_BACKWARD_STEP[:3], "model_type", "config")


class ContractChanged(RuntimeError):
    """This release of Megatron-Core is not one that the bridge understands."""


def check(schedules: types.ModuleType) -> None:
    """Throws ContractChanged, naming what differs, where a replaced schedule would not fit."""
    for name in SCHEDULES:
        found = set(_parameters(schedules, name))
        wanted = _CALL if name == NO_PIPELINING else _CALL_OF_PIPELINES
        if missing := wanted - found:
            raise _changed(name, f"does not take {', '.join(sorted(missing))}")
        if unknown := found - _CALL_OF_PIPELINES - _SINCE_0_16:
            raise _changed(name, f"takes {', '.join(sorted(unknown))}, which the bridge would ignore")
    if (found := _parameters(schedules, "forward_step")) != _FORWARD_STEP:
        raise _changed("forward_step", f"takes {', '.join(found)}")
    found = _parameters(schedules, "backward_step")
    if found not in (_BACKWARD_STEP, _BACKWARD_STEP_OF_TYPED_MODELS):
        raise _changed("backward_step", f"takes {', '.join(found)}")
    for name in ("deallocate_output_tensor", "check_first_val_step", "get_model_config"):
        _parameters(schedules, name)


def backward_wants_model_type(schedules: types.ModuleType) -> bool:
    return "model_type" in _parameters(schedules, "backward_step")


def knows_force_all_reduce(schedules: types.ModuleType) -> bool:
    return "force_all_reduce" in _parameters(schedules, PLAIN)


def schedule_in_force(parallel_state: types.ModuleType) -> str:
    """The schedule that get_forward_backward_func would choose."""
    if parallel_state.get_pipeline_model_parallel_world_size() == 1:
        return NO_PIPELINING
    chunks = parallel_state.get_virtual_pipeline_model_parallel_world_size()
    return PLAIN if chunks is None else INTERLEAVED


def _parameters(schedules: types.ModuleType, name: str) -> tuple[str, ...]:
    function = getattr(schedules, name, None)
    if function is None:
        raise _changed(name, "is gone")
    return tuple(inspect.signature(function).parameters)


def _changed(name: str, what: str) -> ContractChanged:
    import megatron.core

    return ContractChanged(
        f"Megatron-Core {megatron.core.__version__}: schedules.{name} {what}. This release of rrfp "
        f"was tried with Megatron-Core {' and '.join(TRIED)}; use one of these, or a newer rrfp"
    )
