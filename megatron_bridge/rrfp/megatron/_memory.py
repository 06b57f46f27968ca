"""What a forward keeps for its backward, in bytes."""

import torch


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
