#include "adapters/gpt/gpt_layers.h"

#include <cmath>

#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <fmt/format.h>

namespace rrfp {
namespace {

constexpr double weight_deviation = 0.02;

double residual_deviation(const GptShape& shape) {
    return weight_deviation / std::sqrt(2.0 * shape.layers);
}

}  // namespace

LayerNorm::LayerNorm(ParameterList& parameters, const std::string& name, int hidden)
    : weight_(parameters.constant(name + ".weight", {hidden}, 1)),
      bias_(parameters.constant(name + ".bias", {hidden}, 0)) {}

at::Tensor LayerNorm::operator()(const at::Tensor& input) const {
    return at::layer_norm(input, weight_.sizes(), weight_, bias_);
}

GptBlock::GptBlock(ParameterList& parameters, const GptShape& shape, int layer)
    : heads_(shape.heads / parameters.group().size()),
      name_(fmt::format("blocks.{}", layer)),
      attention_norm_(parameters, name_ + ".attention_norm", shape.hidden),
      qkv_(parameters, name_ + ".attention.qkv", {shape.hidden, 3 * shape.hidden}, weight_deviation,
           /*bias=*/true, /*blocks=*/3),
      projection_(parameters, name_ + ".attention.projection", {shape.hidden, shape.hidden},
                  residual_deviation(shape)),
      mlp_norm_(parameters, name_ + ".mlp_norm", shape.hidden),
      up_(parameters, name_ + ".mlp.up", {shape.hidden, 4 * shape.hidden}, weight_deviation),
      down_(parameters, name_ + ".mlp.down", {4 * shape.hidden, shape.hidden},
            residual_deviation(shape)) {}

at::Tensor GptBlock::operator()(const at::Tensor& input, const Microbatch& microbatch,
                                const Dropout& dropout) const {
    const at::Tensor attended = attend(attention_norm_(input));
    const at::Tensor middle = at::add(input, dropout(attended, microbatch, name_ + ".attention"));
    const at::Tensor expanded = at::gelu(up_(mlp_norm_(middle)));
    return at::add(middle, dropout(down_(expanded), microbatch, name_ + ".mlp"));
}

at::Tensor GptBlock::attend(const at::Tensor& input) const {
    const at::Tensor joined = qkv_(input);
    const std::int64_t batch = joined.size(0);
    const std::int64_t sequence = joined.size(1);
    const std::int64_t hidden = joined.size(2) / 3;
    // [batch, sequence, 3 * hidden] -> query, key, value of [batch, heads, sequence, width] each.
    const std::vector<at::Tensor> parts = joined.view({batch, sequence, 3, heads_, hidden / heads_})
                                              .permute({2, 0, 3, 1, 4})
                                              .unbind(0);
    const at::Tensor mixed =
        at::scaled_dot_product_attention(parts[0], parts[1], parts[2], /*attn_mask=*/{},
                                         /*dropout_p=*/0.0, /*is_causal=*/true);
    return projection_(mixed.transpose(1, 2).reshape({batch, sequence, hidden}));
}

}  // namespace rrfp
