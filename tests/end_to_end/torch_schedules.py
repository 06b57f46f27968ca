"""PyTorch's pipeline schedules without processes: enough of a stage for their tables to be made.

Run as a program it writes the golden files of tests/schedules/assets again."""

import pathlib

from torch.distributed.pipelining import schedules

ASSETS = pathlib.Path(__file__).resolve().parents[1] / "schedules/assets"


class Stage:
    """A stage that only knows its place."""

    def __init__(self, index, stages, ranks):
        self.stage_index = index
        self.num_stages = stages
        self.group = None
        self.group_size = ranks
        self.group_rank = index % ranks
        self.submod = None
        self.has_backward = True
        self.is_first = index == 0
        self.is_last = index == stages - 1


def stages(count, ranks):
    """The stages of rank 0."""
    return [Stage(index, count, ranks) for index in range(0, count, ranks)]


def schedule(name, count, ranks, microbatches):
    """PyTorch's schedule called `name`, its tables made."""
    kind = schedules.get_schedule_class(name)
    return kind(stages(count, ranks), microbatches, loss_fn=lambda output, target: output.sum())


def loaded(path, count, ranks, microbatches):
    """What PyTorch's own loader makes of a file: its table, validated and lowered."""
    runtime = schedules._PipelineScheduleRuntime(
        stages(count, ranks), microbatches, loss_fn=lambda output, target: output.sum())
    runtime._load_csv(path, format="compute_only")
    return runtime


# file, schedule, stages, ranks, microbatches, format
GOLDEN = [
    ("interleaved_1f1b_comms.csv", "Interleaved1F1B", 8, 4, 8, "compute_comms"),
    ("interleaved_1f1b.csv", "Interleaved1F1B", 8, 4, 8, "compute_only"),
    ("interleaved_zero_bubble.csv", "InterleavedZeroBubble", 4, 2, 4, "compute_only"),
    ("zbv.csv", "ZBVZeroBubble", 8, 4, 8, "compute_only"),
    ("looped_bfs.csv", "LoopedBFS", 4, 2, 3, "compute_only"),
    ("dual_pipe_v.csv", "DualPipeV", 8, 4, 10, "compute_only"),
    ("dual_pipe_v_comms.csv", "DualPipeV", 4, 2, 6, "compute_comms"),
]


def main():
    for file, name, count, ranks, microbatches, kind in GOLDEN:
        schedule(name, count, ranks, microbatches)._dump_csv(ASSETS / file, format=kind)


if __name__ == "__main__":
    main()
