#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "adapters/gpt/layers/parameters.h"

namespace rrfp {

struct AdamWOptions {
    double beta1 = 0.9;
    double beta2 = 0.95;
    double epsilon = 1e-8;
    double weight_decay = 0.01;
};

/// Adam with decoupled weight decay (Loshchilov and Hutter, "Decoupled Weight Decay
/// Regularization", ICLR 2019) and bias correction. Weight decay applies to matrices (embeddings
/// included); gains, offsets and biases have none.
class AdamW {
  public:
    /// Moments of one parameter, of its shape.
    struct Moments {
        at::Tensor first;
        at::Tensor second;
    };

    AdamW(std::span<const Parameter> parameters, AdamWOptions options);

    /// One step down the parameters' gradients, each times `gradient_scale`.
    void step(double learning_rate, double gradient_scale);

    std::uint64_t steps() const { return steps_; }
    void set_steps(std::uint64_t steps) { steps_ = steps; }
    /// Parallel to the parameters.
    std::span<const Moments> moments() const { return moments_; }

  private:
    void update(const at::Tensor& parameter, Moments& moments, double learning_rate,
                double gradient_scale) const;

    std::vector<at::Tensor> parameters_;
    std::vector<Moments> moments_;
    AdamWOptions options_;
    std::uint64_t steps_ = 0;
};

}  // namespace rrfp
