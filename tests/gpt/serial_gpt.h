#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <ATen/core/TensorBody.h>

#include "adapters/jobs/job/job.h"

namespace rrfp::test {

/// The model of a gpt job written a second time, from its definition: one autograd graph over all
/// layers and microbatches, in double precision, attention by an explicit softmax. Dropout is off.
struct SerialGpt {
    double loss = 0;                              ///< mean over the microbatches
    std::map<std::string, at::Tensor> gradients;  ///< of that mean, float64, by name
};

SerialGpt serial_gpt(const Job& job, const std::map<std::string, at::Tensor>& parameters,
                     std::uint64_t iteration);

}  // namespace rrfp::test
