#include "adapters/gpt/optimizer/gradient_buckets.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

namespace rrfp {
namespace {

/// How many of `parameters`, from the first on, go into one bucket: one at least.
std::size_t count_together(std::span<const Parameter> parameters, std::size_t bucket_elements) {
    std::size_t elements = 0;
    std::size_t count = 0;
    for (; count < parameters.size(); ++count) {
        elements += static_cast<std::size_t>(parameters[count].value.numel());
        if (count > 0 && elements > bucket_elements) break;
    }
    return count;
}

at::Tensor bucket_of(std::span<const Parameter> parameters) {
    std::int64_t elements = 0;
    for (const Parameter& parameter : parameters) elements += parameter.value.numel();
    const at::Tensor bucket = at::empty({elements}, at::kFloat);
    std::int64_t place = 0;
    for (const Parameter& parameter : parameters) {
        const at::Tensor& value = parameter.value;
        const at::Tensor view = bucket.narrow(0, place, value.numel()).view(value.sizes());
        view.copy_(value.grad());
        value.mutable_grad() = view;
        place += value.numel();
    }
    return bucket;
}

}  // namespace

std::vector<at::Tensor> bucket_gradients(std::span<const Parameter> parameters,
                                         std::size_t bucket_elements) {
    std::vector<at::Tensor> buckets;
    while (!parameters.empty()) {
        const std::size_t count = count_together(parameters, bucket_elements);
        buckets.push_back(bucket_of(parameters.first(count)));
        parameters = parameters.subspan(count);
    }
    return buckets;
}

}  // namespace rrfp
