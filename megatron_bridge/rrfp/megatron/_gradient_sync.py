"""When gradients are reduced between replicas: after a chunk's last backward, chunks in one order."""

import contextlib
import typing

import torch


class GradientSync:
    """Keeps Megatron's hooks from reducing during an iteration, and starts the reductions itself.

    Replicas run tasks in orders of their own, so what a hook takes for the last backward need not
    be that. A chunk's reduction starts once all its gradients are there, and never before that of a
    later chunk: collectives then have the same order on all replicas.
    """

    def __init__(self, config, chunks: list):
        self._config, self._chunks = config, chunks
        self._complete = [False] * len(chunks)
        self._next = len(chunks) - 1
        self._context = contextlib.ExitStack()

    def __enter__(self) -> "GradientSync":
        functions = self._config.no_sync_func
        for function in functions if isinstance(functions, list) else [functions]:
            if function is not None:
                self._context.enter_context(function())
        return self

    def __exit__(self, *error) -> None:
        self._context.__exit__(*error)

    def chunk_complete(self, chunk: int) -> None:
        """All gradients of `chunk` are there."""
        self._complete[chunk] = True
        while self._next >= 0 and self._complete[self._next]:
            self._start(self._next)
            self._next -= 1

    def _start(self, chunk: int) -> None:
        module = self._chunks[chunk]
        if (function := _of_chunk(self._config.grad_sync_func, chunk)) is not None:
            function(module.parameters())
        elif overlaps_reduction(module):
            module.start_grad_sync()


def overlaps_reduction(module: torch.nn.Module) -> bool:
    """Whether Megatron's DDP around a chunk reduces gradients while backwards run."""
    return bool(getattr(getattr(module, "ddp_config", None), "overlap_grad_reduce", False))


@contextlib.contextmanager
def sync_functions_off(config, forward_only: bool) -> typing.Iterator[None]:
    """Takes grad_sync_func and param_sync_func away from an evaluation, as Megatron does."""
    if not forward_only:
        yield
        return
    kept = config.grad_sync_func, config.param_sync_func
    config.grad_sync_func = config.param_sync_func = None
    try:
        yield
    finally:
        config.grad_sync_func, config.param_sync_func = kept


def gather_parameters(config, chunks: list) -> None:
    """Starts the gathering of every chunk's parameters, in the order of their use."""
    for chunk, module in enumerate(chunks):
        if (function := _of_chunk(config.param_sync_func, chunk)) is not None:
            function(module.parameters())


def _of_chunk(functions, chunk: int):
    return functions[chunk] if isinstance(functions, list) else functions
