#pragma once

#include <string>

#include <ATen/core/TensorBody.h>

#include "adapters/gpt/layers/dropout.h"
#include "adapters/gpt/layers/parallel_linear.h"
#include "adapters/gpt/layers/parameters.h"

namespace rrfp {

/// What the layers of a GPT have in common. Activations are [batch, sequence, hidden], float32.
struct GptShape {
    int layers = 1;
    int hidden = 64;
    int heads = 4;  ///< divides `hidden`, and is divided by the size of the tensor group
    int sequence = 64;
    int vocabulary = 256;
};

/// Normalisation over the hidden dimension, with gain and offset.
class LayerNorm {
  public:
    LayerNorm(ParameterList& parameters, const std::string& name, int hidden);
    at::Tensor operator()(const at::Tensor& input) const;

  private:
    at::Tensor weight_;
    at::Tensor bias_;
};

/// One pre-norm block: x + attention(norm(x)), then x + mlp(norm(x)). The MLP is 4 times as wide,
/// with GELU. Dropout follows the attention's output and the MLP's. Over a tensor group, heads and
/// the MLP's width are divided, and the norms and the additions are each rank's own.
class GptBlock {
  public:
    /// `layer` counts over the whole model. Initial deviations as in GPT-2: 0.02, and smaller by
    /// sqrt(2 * layers) for what adds to the residual stream.
    GptBlock(ParameterList& parameters, const GptShape& shape, int layer);
    at::Tensor operator()(const at::Tensor& input, const Microbatch& microbatch,
                          const Dropout& dropout) const;

  private:
    at::Tensor attend(const at::Tensor& input) const;

    int heads_;  // of this rank
    std::string name_;
    LayerNorm attention_norm_;
    ColumnLinear qkv_;
    RowLinear projection_;
    LayerNorm mlp_norm_;
    ColumnLinear up_;
    RowLinear down_;
};

}  // namespace rrfp
