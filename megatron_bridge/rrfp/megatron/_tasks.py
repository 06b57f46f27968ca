"""What a rank's tasks compute in one iteration: Megatron's own forward and backward steps."""

import types

import torch
from torch.utils.dlpack import from_dlpack, to_dlpack

from rrfp.megatron import _contract, _data, _refusals, _weight_gradients
from rrfp.megatron._call import Call
from rrfp.megatron._memory import KeptMemory


class Tasks:
    """Called by the runtime for one task at a time, on Python's main thread, in any order that
    dependencies allow. Between the forward and the backward of a microbatch it keeps the graph."""

    def __init__(
        self, schedules: types.ModuleType, call: Call, *, number, world_rank, random, sync, split,
        memory: KeptMemory | None,
    ):
        self._schedules, self._call = schedules, call
        self._split, self._memory = split, memory
        self._products: dict[tuple[int, int], list] = {}
        self._random, self._sync = random, sync
        self._sources = [
            _data.NoData() if iterator is None else _data.MicrobatchSource(iterator, world_rank, number)
            for iterator in call.iterators
        ]
        self._graphs: dict[tuple[int, int], tuple] = {}
        self._entries: dict[int, list] = {}
        self._begun = [False] * len(call.chunks)
        self._unfinished = [call.microbatches] * len(call.chunks)
        self._cp_size = call.groups.cp.size()
        self._backward_extra = self._model_type_arguments()
        self.tokens: torch.Tensor | None = None

    def __call__(self, kind, stage, microbatch, iteration, inputs, gradients):
        chunk = stage // self._call.ranks
        if kind == "F":
            return self._forward(stage, chunk, microbatch, inputs)
        if kind == "B":
            return self._backward(stage, chunk, microbatch, gradients)
        _weight_gradients.finish(self._products.pop((chunk, microbatch)))
        self._ended(chunk)
        return []

    def losses(self) -> list:
        """What the last stage's loss function returned, in the order of microbatches."""
        return [entry for microbatch in sorted(self._entries) for entry in self._entries[microbatch]]

    def _forward(self, stage: int, chunk: int, microbatch: int, inputs: list) -> list:
        call, schedules = self._call, self._schedules
        last = stage == call.stages - 1
        received = self._received(stage, microbatch, inputs)
        entries: list = []
        with self._random.of(microbatch, chunk):
            output, tokens = schedules.forward_step(
                call.forward_step_func,
                self._sources[chunk].of(microbatch),
                call.chunks[chunk],
                call.microbatches,
                received,
                entries,
                call.config,
                self._cp_size,
                collect_non_loss_data=call.collect_non_loss_data,
                is_first_microbatch=schedules.check_first_val_step(
                    call.first_val_step, call.forward_only, not self._begun[chunk]
                ),
                current_microbatch=microbatch,
                vp_stage=chunk if call.interleaved else None,
                is_last_stage=last,
            )
        self._sources[chunk].ended(microbatch)
        self._begun[chunk] = True
        self._count(tokens)
        if last:
            self._entries[microbatch] = entries
            sent = []
        else:
            output = _refusals.single_tensor(output, stage)
            sent = [_outgoing(output, stage)]
        if not call.forward_only:
            if self._memory is not None:
                self._memory.add(received, output)
            self._graphs[chunk, microbatch] = (received, output)
            if not last:
                schedules.deallocate_output_tensor(output, call.config.deallocate_pipeline_outputs)
        return sent

    def _received(self, stage: int, microbatch: int, inputs: list) -> torch.Tensor | None:
        if stage == 0:
            return None
        received = from_dlpack(inputs[0])
        expected = self._call.shape
        if expected is not None and tuple(received.shape) != expected:
            raise ValueError(
                f"stage {stage}, microbatch {microbatch}: the activation has shape "
                f"{list(received.shape)}, and {list(expected)} was declared. Give the schedule the "
                "right seq_length and micro_batch_size, or set variable_seq_lengths = True"
            )
        return received if self._call.forward_only else received.requires_grad_()

    def _backward(self, stage: int, chunk: int, microbatch: int, gradients: list) -> list:
        received, output = self._graphs.pop((chunk, microbatch))
        last = stage == self._call.stages - 1
        gradient = None if last or gradients[0] is None else from_dlpack(gradients[0])
        step = (received, output, gradient, *self._backward_extra, self._call.config)
        # Without a gradient there is nothing behind this stage that learns.
        learns = last or gradient is not None
        if self._split:
            with _weight_gradients.deferring() as self._products[chunk, microbatch]:
                if learns:
                    self._schedules.backward_step(*step)
        else:
            if learns:
                self._schedules.backward_step(*step)
            self._ended(chunk)
        if stage == 0:
            return []
        return [None if received.grad is None else _outgoing(received.grad, stage)]

    def _ended(self, chunk: int) -> None:
        """A microbatch has added all its gradients to those of `chunk`."""
        self._unfinished[chunk] -= 1
        if self._unfinished[chunk] == 0:
            self._sync.chunk_complete(chunk)

    def _count(self, tokens: torch.Tensor) -> None:
        if self.tokens is None:
            self.tokens = torch.zeros([], dtype=torch.int, device=self._call.device)
        self.tokens += tokens.to(self.tokens.device)

    def _model_type_arguments(self) -> tuple:
        if not _contract.backward_wants_model_type(self._schedules):
            return ()
        return (self._schedules.get_model_type(self._call.chunks[0]),)


def _outgoing(tensor: torch.Tensor, stage: int):
    if tensor.device.type != "cpu":
        raise _refusals.Unsupported(
            f"stage {stage} hands on a tensor on {tensor.device}; this release of rrfp sends from "
            "host memory alone. Remedy: use Megatron's own schedule (rrfp.megatron.disable())"
        )
    return to_dlpack(tensor.detach())
