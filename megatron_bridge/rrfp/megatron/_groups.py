"""Which process is where: Megatron's groups as the runtime's ranks."""

import types

import torch
from megatron.core import parallel_state
from megatron.core.process_groups_config import ProcessGroupCollection

from rrfp.megatron._refusals import Unsupported


def collection(schedules: types.ModuleType) -> ProcessGroupCollection:
    """The groups that Megatron's schedules build where the caller gives none."""
    if hasattr(schedules, "_build_default_pg_collection"):
        return schedules._build_default_pg_collection()
    groups = ProcessGroupCollection()
    groups.tp = parallel_state.get_tensor_model_parallel_group()
    groups.cp = parallel_state.get_context_parallel_group()
    groups.embd = parallel_state.get_embedding_group(check_initialized=False)
    groups.pos_embd = parallel_state.get_position_embedding_group(check_initialized=False)
    groups.pp = parallel_state.get_pipeline_model_parallel_group()
    groups.dp_cp = parallel_state.get_data_parallel_group(
        with_context_parallel=True, partial_data_parallel=False
    )
    return groups


def world_ranks(group) -> list[int]:
    """The world ranks of a group's members, in its order; torch's ranks are MPI's here."""
    return torch.distributed.get_process_group_ranks(group)


def meeting_ranks(groups, config) -> list[int]:
    """The world ranks of this pipeline stage whose tasks meet in collectives, directly or through others:
    those must run their tasks in one order. Tensor and context groups, and with experts the groups among
    which tokens and expert weights are divided, which cross replicas. Collective over all ranks."""
    mine = {torch.distributed.get_rank(), *world_ranks(groups.tp), *world_ranks(groups.cp)}
    if config.num_moe_experts is not None:
        mine.update(world_ranks(parallel_state.get_expert_tensor_and_model_parallel_group()))
    direct: list = [None] * torch.distributed.get_world_size()
    torch.distributed.all_gather_object(direct, sorted(mine))
    reached, new = set(), {torch.distributed.get_rank()}
    while new:
        reached |= new
        new = {rank for known in new for rank in direct[known]} - reached
    return sorted(reached)


def check_world(ranks: int) -> None:
    found = torch.distributed.get_world_size()
    if found != ranks:
        raise Unsupported(
            f"torch.distributed has {found} ranks and MPI {ranks}: start every rank with one mpirun, "
            "and initialise torch.distributed with init_method env://"
        )
