"""A limit in bytes as a number of microbatches, from what a microbatch was seen to keep."""

import torch

from rrfp import _native
from rrfp.configuration import Configuration, ConfigurationError


class MeasuredLimits:
    """The limit of each pipeline rank.

    For a limit in bytes the first training iteration runs at P - s, which is what 1F1B keeps, and
    measures the most that a forward leaves for its backward; the later ones have as many microbatches
    in flight as fit.
    """

    def __init__(self, configuration: Configuration):
        self._configuration = configuration
        self._bytes = configuration.limit_bytes
        self._fitting: list[int] | None = None

    def of(self, ranks: int) -> list[int]:
        if self._bytes is None:
            return self._configuration.limits(ranks)
        return self._fitting or _native.limits("P-s", ranks)

    @property
    def measures(self) -> bool:
        return self._bytes is not None and self._fitting is None

    def measured(self, kept: int, rank: int, ranks: int, device: torch.device) -> None:
        """Takes what a microbatch keeps on this pipeline rank. Collective over all ranks, which come
        to the same limits. ConfigurationError where not one microbatch fits."""
        most = torch.zeros(ranks, dtype=torch.int64, device=device)
        most[rank] = kept
        torch.distributed.all_reduce(most, op=torch.distributed.ReduceOp.MAX)
        for place, each in enumerate(most.tolist()):
            if self._bytes < each:
                raise ConfigurationError(
                    f"limit = {self._configuration.limit!r} does not hold one microbatch of pipeline "
                    f"rank {place}, which was seen to keep {each} bytes; give {each} B or more, lower "
                    "the micro-batch size, or recompute activations"
                )
        self._fitting = [_native.limit_in_bytes(self._bytes, each) for each in most.tolist()]


class KeptMemory:
    """Watches forwards for the bytes that each leaves behind: what autograd has saved, what the stage
    received, and the gradient that its output will get. Parameters are not counted."""

    def __init__(self, chunks: list):
        # Megatron's wrapper has something else under the name `buffers`.
        self._parameters = {
            _address(tensor)
            for chunk in chunks
            for tensor in (*chunk.parameters(), *torch.nn.Module.buffers(chunk))
        }
        self.most = 0

    def add(self, received: torch.Tensor | None, output: torch.Tensor) -> None:
        tensors = [*_saved_behind(output)]
        if received is not None:
            tensors.append(received)
        sizes = {_address(tensor): tensor.untyped_storage().nbytes() for tensor in tensors}
        kept = sum(size for address, size in sizes.items() if address not in self._parameters)
        self.most = max(self.most, kept + output.nbytes)


def _address(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr()


def _saved_behind(output: torch.Tensor):
    """The tensors that the backward of `output` will read, from autograd's graph."""
    nodes, seen = [output.grad_fn], set()
    while nodes:
        node = nodes.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        yield from _saved_by(node)
        nodes.extend(following for following, _ in node.next_functions)


def _saved_by(node):
    names = [name for name in dir(node) if name.startswith("_saved_")]
    values = [getattr(node, name) for name in names] + [getattr(node, "saved_tensors", ())]
    for value in values:
        for tensor in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(tensor, torch.Tensor):
                yield tensor
