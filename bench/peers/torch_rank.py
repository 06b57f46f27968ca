"""One rank of a PyTorch pipeline with sleeping stages."""

from __future__ import annotations

import gc
import time
from datetime import timedelta

import torch
import torch.distributed as dist
from peers.torch_job import TorchJob
from peers.torch_stage import SleepingStage, loss
from rrfp_bench.durations import Durations
from torch.distributed import pipelining

_CLASSES = {
    "1f1b": pipelining.Schedule1F1B,
    "interleaved-1f1b": pipelining.ScheduleInterleaved1F1B,
    "zbv": pipelining.ScheduleZBVZeroBubble,
}


class _Stage(pipelining.PipelineStage):
    """A stage without PyTorch's first exchange with its neighbours.

    That exchange only opens connections, which gloo does by itself, and with neighbouring stages on
    one rank (zbv) it sends to its own rank, which gloo refuses.
    """

    def _get_init_p2p_neighbors_ops(self):
        return []


def _pipeline_stages(
    job: TorchJob, rank: int, durations: Durations, microbatch: torch.Tensor
) -> list[_Stage]:
    """This rank's stages, with shapes given, so that PyTorch need not infer them."""
    meta = microbatch.to("meta")
    stages = []
    for stage in job.stages_of(rank, durations.stages):
        module = SleepingStage(stage)
        stages.append(
            _Stage(
                module,
                stage,
                durations.stages,
                torch.device("cpu"),
                input_args=meta,
                output_args=meta,
                dw_builder=module.weight_gradient if durations.split_weight else None,
            )
        )
    return stages


def _step_times(job: TorchJob, rank: int, iterations: list[Durations]) -> list[tuple[int, int]]:
    microbatches = iterations[0].microbatches
    batch = torch.zeros(microbatches, job.message_bytes // 4)
    mine = _pipeline_stages(job, rank, iterations[0], batch[:1])
    schedule = _CLASSES[job.schedule](
        mine[0] if job.schedule == "1f1b" else mine, microbatches, loss_fn=loss, scale_grads=False
    )
    inputs = (batch,) if any(stage.is_first for stage in mine) else ()
    last = any(stage.is_last for stage in mine)
    targets = {"target": torch.zeros(microbatches)} if last else {}

    times = []
    for durations in iterations:
        for stage in mine:
            stage.submod.begin_iteration(durations)
        gc.collect()
        dist.barrier()
        start = time.monotonic_ns()
        schedule.step(*inputs, return_outputs=False, **targets)
        times.append((start, time.monotonic_ns()))
    return times


def run_rank(job: TorchJob, rank: int, iterations: list[Durations]) -> list[tuple[int, int]]:
    """Runs the iterations; (start, end) of each, nanoseconds of CLOCK_MONOTONIC."""
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    gc.disable()  # collected between iterations, where it disturbs no measurement
    dist.init_process_group(
        "gloo",
        init_method=f"file://{job.folder}/rendezvous",
        rank=rank,
        world_size=job.ranks,
        timeout=timedelta(minutes=5),
    )
    try:
        return _step_times(job, rank, iterations)
    finally:
        dist.destroy_process_group()
