#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>

#include "tests/autograd/function_program.h"

namespace rrfp::test {

/// Values whose sums show in which order they were added.
inline at::Tensor uneven(std::vector<std::int64_t> shape, double salt) {
    std::int64_t count = 1;
    for (const std::int64_t length : shape) count *= length;
    return at::arange(count).to(at::kFloat).add(salt).mul(0.7310585).sin().view(shape);
}

inline at::Tensor parameter(std::vector<std::int64_t> shape, double salt, bool trains = true) {
    return uneven(std::move(shape), salt).set_requires_grad(trains);
}

/// A first stage that passes its weight on, times the microbatch.
inline Function source(const at::Tensor& weight) {
    return [weight](const Microbatch& microbatch, const Values&) {
        return Values{weight.mul(microbatch.index + 1)};
    };
}

inline Values mean_square(const Microbatch&, const Values& inputs) {
    return {inputs[0].square().mean()};
}

}  // namespace rrfp::test
