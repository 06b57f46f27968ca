"""A model for sequence parallelism without a GPU: Megatron's own normalisation there refuses it, so a
layer specification names one that does not, as a user's may."""

import torch
from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
from megatron.core.transformer.transformer_block import (
    TransformerBlockSubmodules,
    get_num_layers_to_build,
)


class Norm(torch.nn.LayerNorm):
    """Each rank of a tensor group sees a part of the tokens; Megatron sums the marked gradients."""

    def __init__(self, config, hidden_size, eps=1e-5):
        super().__init__(hidden_size, eps=eps)
        for parameter in self.parameters():
            parameter.sequence_parallel = config.sequence_parallel


def specification(config, stage):
    layer = get_gpt_layer_local_spec()
    layer.submodules.input_layernorm = layer.submodules.pre_mlp_layernorm = Norm
    layers = get_num_layers_to_build(config, vp_stage=stage)
    return TransformerBlockSubmodules(layer_specs=[layer] * layers, layer_norm=Norm)
