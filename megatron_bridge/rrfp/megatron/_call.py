"""One call of a pipeline schedule: its arguments, as Megatron defines them."""

import dataclasses
import types
import typing

import torch

from rrfp.megatron import _contract, _groups, _refusals


@dataclasses.dataclass
class Call:
    """The arguments of forward_backward_func, checked and with one entry a chunk."""

    forward_step_func: typing.Callable
    chunks: list[torch.nn.Module]
    iterators: list[typing.Iterator | None]
    microbatches: int
    forward_only: bool
    collect_non_loss_data: bool
    first_val_step: bool | None
    force_all_reduce: bool
    interleaved: bool
    groups: typing.Any
    config: typing.Any
    # The shape of what a stage receives; None where it may differ between microbatches.
    shape: tuple[int, ...] | None

    @property
    def ranks(self) -> int:
        return self.groups.pp.size()

    @property
    def rank(self) -> int:
        return self.groups.pp.rank()

    @property
    def rank_of_stage(self) -> list[int]:
        return list(range(self.ranks)) * len(self.chunks)

    @property
    def device(self) -> torch.device:
        """Where the stages compute; a chunk may have no parameters."""
        for chunk in self.chunks:
            for parameter in chunk.parameters():
                return parameter.device
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")

    @property
    def stages(self) -> int:
        return self.ranks * len(self.chunks)


def read(schedules: types.ModuleType, name: str, arguments: dict) -> Call:
    """The call of the schedule `name`. Throws TypeError and ValueError for what Megatron refuses,
    Unsupported for what the bridge refuses."""
    arguments = dict(arguments)
    interleaved = name == _contract.INTERLEAVED
    chunks = _list_of_chunks(arguments["model"], interleaved, "model")
    iterators = _list_of_chunks(arguments["data_iterator"], interleaved, "data_iterator")
    if len(iterators) != len(chunks):
        raise ValueError(f"{len(iterators)} data iterators for {len(chunks)} model chunks")
    config = schedules.get_model_config(chunks[0])
    _refusals.check_config(config)
    _refusals.check_model(chunks)
    groups = _groups_of(schedules, arguments)
    return Call(
        forward_step_func=arguments["forward_step_func"],
        chunks=chunks,
        iterators=iterators,
        microbatches=arguments["num_microbatches"],
        forward_only=arguments.get("forward_only", False),
        collect_non_loss_data=arguments.get("collect_non_loss_data", False),
        first_val_step=arguments.get("first_val_step"),
        force_all_reduce=arguments.get("force_all_reduce", False),
        interleaved=interleaved,
        groups=groups,
        config=config,
        shape=_shape(config, groups, arguments, interleaved),
    )


def _list_of_chunks(value, interleaved: bool, what: str) -> list:
    if interleaved:
        if not isinstance(value, list):
            raise TypeError(f"{what} must be a list with one entry for each model chunk")
        return value
    if isinstance(value, list):
        if len(value) != 1:
            raise ValueError(f"{what} has {len(value)} entries, and this pipeline has no chunks")
        return value
    return [value]


def _groups_of(schedules: types.ModuleType, arguments: dict):
    groups = arguments.get("pg_collection")
    if (groups is None) != (arguments.get("p2p_communicator") is None):
        raise ValueError("give both p2p_communicator and pg_collection, or neither")
    return _groups.collection(schedules) if groups is None else groups


def _shape(config, groups, arguments: dict, interleaved: bool) -> tuple[int, ...] | None:
    adjust = arguments.get("adjust_tensor_shapes_fn")
    if interleaved and adjust is not None:
        raise ValueError("adjust_tensor_shapes_fn is not for interleaved pipelines")
    if config.variable_seq_lengths or getattr(config, "mtp_standalone", False):
        return None
    length = arguments["seq_length"]
    if not interleaved and arguments.get("decoder_seq_length") is not None:
        length = arguments["decoder_seq_length"]
    length //= groups.cp.size()
    if config.sequence_parallel:
        length //= groups.tp.size()
    shape = (length, arguments["micro_batch_size"], config.hidden_size)
    if adjust is None:
        return shape
    received, _ = adjust([shape], [shape])
    if len(received) != 1:
        raise _refusals.Unsupported(
            f"adjust_tensor_shapes_fn makes {len(received)} tensors of one; rrfp passes one tensor "
            "from stage to stage"
        )
    return tuple(received[0])
