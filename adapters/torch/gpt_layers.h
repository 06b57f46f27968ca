#pragma once

#include <string>

#include <ATen/core/TensorBody.h>

#include "adapters/torch/dropout.h"
#include "adapters/torch/parameters.h"

namespace rrfp {

/// What the layers of a GPT have in common. Activations are [batch, sequence, hidden], float32.
struct GptShape {
    int layers = 1;
    int hidden = 64;
    int heads = 4;  ///< divides `hidden`
    int sequence = 64;
    int vocabulary = 256;
};

/// x W^T + b.
class Linear {
  public:
    /// Weights normal with `deviation`, biases 0.
    Linear(ParameterList& parameters, const std::string& name, int inputs, int outputs,
           double deviation, bool bias = true);
    at::Tensor operator()(const at::Tensor& input) const;

  private:
    at::Tensor weight_;
    at::Tensor bias_;  // undefined without one
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
/// with GELU. Dropout follows the attention's output and the MLP's.
class GptBlock {
  public:
    /// `layer` counts over the whole model. Initial deviations as in GPT-2: 0.02, and smaller by
    /// sqrt(2 * layers) for what adds to the residual stream.
    GptBlock(ParameterList& parameters, const GptShape& shape, int layer);
    at::Tensor operator()(const at::Tensor& input, const Microbatch& microbatch,
                          const Dropout& dropout) const;

  private:
    at::Tensor attend(const at::Tensor& input) const;

    int heads_;
    std::string name_;
    LayerNorm attention_norm_;
    Linear qkv_;
    Linear projection_;
    LayerNorm mlp_norm_;
    Linear up_;
    Linear down_;
};

}  // namespace rrfp
