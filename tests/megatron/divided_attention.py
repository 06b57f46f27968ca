"""Attention over sequences that are divided among ranks, without a GPU: Megatron's own needs Transformer
Engine there, so a layer specification names one that does not, as a user's may."""

import math

import torch
import train as example
from megatron.core import parallel_state
from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
from megatron.core.tensor_parallel import gather_from_sequence_parallel_region


class DividedAttention(torch.nn.Module):
    """Causal; each rank has the queries of its part and gathers all keys and values."""

    def __init__(self, config, **_):
        super().__init__()
        self._scale = 1 / math.sqrt(config.kv_channels)

    def forward(self, query, key, value, *_, **__):
        group = parallel_state.get_context_parallel_group()
        key = gather_from_sequence_parallel_region(key.contiguous(), group=group)
        value = gather_from_sequence_parallel_region(value.contiguous(), group=group)
        first = group.rank() * query.shape[0]
        places = torch.arange(first, first + query.shape[0])[:, None]
        hidden = torch.arange(key.shape[0])[None] > places
        scores = torch.einsum("qbhd,kbhd->bhqk", query, key) * self._scale
        weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
        mixed = torch.einsum("bhqk,kbhd->qbhd", weights, value)
        return mixed.reshape(*mixed.shape[:2], -1)


def specification(config, stage):
    layer = get_gpt_layer_local_spec()
    layer.submodules.self_attention.submodules.core_attention = DividedAttention
    return layer


class _Part:
    """The part of each microbatch's sequences that this rank has."""

    def __init__(self, iterator):
        self._iterator = iterator

    def __next__(self):
        batch = next(self._iterator)
        parts = parallel_state.get_context_parallel_world_size()
        mine = parallel_state.get_context_parallel_rank()
        divided = {
            name: batch[name].chunk(parts, 1)[mine].contiguous() for name in ("tokens", "labels", "positions")
        }
        return {**batch, **divided}


def forward_step(iterator, module):
    return example.forward_step(_Part(iterator), module)
