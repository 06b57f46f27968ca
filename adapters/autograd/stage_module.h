#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/TensorBody.h>

namespace rrfp {

/// Which microbatch a stage computes, and how.
struct Microbatch {
    std::uint64_t iteration = 0;
    int index = 0;          ///< within the iteration, over all replicas
    bool evaluate = false;  ///< validation data, no dropout
};

/// The mathematics of one stage, written as for ordinary autograd; graphs, gradients, their split
/// and recomputation are AutogradProgram's.
class StageModule {
  public:
    virtual ~StageModule() = default;

    /// `inputs`: what the previous stage returned; empty on the first. The last stage returns one
    /// scalar, the mean loss of the microbatch. The same arguments give the same bits, however
    /// often and in whatever order it is called.
    virtual std::vector<at::Tensor> forward(const Microbatch& microbatch,
                                            const std::vector<at::Tensor>& inputs) = 0;
};

}  // namespace rrfp
