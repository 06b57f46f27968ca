"""The split backward: the weight gradients of Megatron's linear layers, put off to tasks of their own.

While `deferring` is in force, the backward of a linear layer computes the gradient of its input,
all-reduced as ever, and leaves the product that makes the weight's gradient in a list. `finish`
computes what is left, with the same operations on the same values, so that nothing changes but when
it happens. Biases, normalisations and embeddings get their gradients in the backward.
"""

import contextlib
import inspect
import typing

import torch
from megatron.core.tensor_parallel import layers

from rrfp.megatron._contract import ContractChanged
from rrfp.megatron._refusals import Unsupported

_LINEAR = layers.LinearWithGradAccumulationAndAsyncCommunication
_INPUTS = (
    "input",
    "weight",
    "bias",
    "gradient_accumulation_fusion",
    "allreduce_dgrad",
    "sequence_parallel",
    "grad_output_buffer",
    "wgrad_deferral_limit",
    "tp_group",
)
_whole_backward = _LINEAR.backward
_left: list | None = None


class Product(typing.NamedTuple):
    """A weight and what its gradient is made of."""

    weight: torch.nn.Parameter
    input: torch.Tensor
    gradient: torch.Tensor


def check(config, chunks: list) -> None:
    """Throws Unsupported where weight gradients cannot be put off."""
    for name in ("sequence_parallel", "gradient_accumulation_fusion"):
        if getattr(config, name):
            raise Unsupported(
                f"rrfp does not run split_weight with {name}. Remedy: set one of them to False"
            )
    kinds = (layers.ColumnParallelLinear, layers.RowParallelLinear)
    for number, chunk in enumerate(chunks):
        if not any(isinstance(module, kinds) for module in chunk.modules()):
            raise Unsupported(
                f"split_weight: chunk {number} has no linear layer of megatron.core.tensor_parallel "
                "(those of Transformer Engine are not split). Remedy: use the local layer "
                "specification, or split_weight = false"
            )


def install() -> None:
    """Puts the divided backward in the place of Megatron's; it acts as that one where nothing is
    put off."""
    found = tuple(inspect.signature(_LINEAR.forward).parameters)[1:]
    if found != _INPUTS:
        raise ContractChanged(
            f"split_weight: Megatron's linear layer takes {', '.join(found)} in this release, which "
            "the bridge does not know. Use split_weight = false"
        )
    _LINEAR.backward = staticmethod(_divided_backward)


@contextlib.contextmanager
def deferring() -> typing.Iterator[list[Product]]:
    """Collects what the backwards in its scope leave out."""
    global _left
    products: list[Product] = []
    _left = products
    try:
        yield products
    finally:
        _left = None
        for product in products:
            if hasattr(product.weight, "main_grad"):
                product.weight.grad_added_to_main_grad = False


@torch.no_grad()
def finish(products: list[Product]) -> None:
    """Adds the gradients that were left out, in the order in which backwards left them."""
    for weight, total_input, gradient in products:
        made = gradient.t().matmul(total_input)
        if hasattr(weight, "main_grad"):
            weight.main_grad.add_(made)
        elif weight.grad is None:
            weight.grad = made
        else:
            weight.grad.add_(made)


@layers.custom_bwd
def _input_gradient(ctx, gradient):
    total_input, weight = ctx.saved_tensors
    input_gradient = gradient.matmul(weight)
    gradient, total_input = layers.prepare_input_tensors_for_wgrad_compute(gradient, total_input)
    if ctx.allreduce_dgrad:
        torch.distributed.all_reduce(input_gradient, group=ctx.tp_group)
    _left.append(Product(weight, total_input, gradient))
    bias_gradient = gradient.sum(dim=0) if ctx.use_bias else None
    return input_gradient, _placeholder(weight), bias_gradient, *[None] * (len(_INPUTS) - 3)


def _divided_backward(ctx, gradient):
    return _whole_backward(ctx, gradient) if _left is None else _input_gradient(ctx, gradient)


def _placeholder(weight: torch.nn.Parameter) -> torch.Tensor | None:
    """What DDP's hook takes for a gradient that has been added already."""
    if not hasattr(weight, "main_grad"):
        return None
    weight.grad_added_to_main_grad = True
    return torch.empty_like(weight)
