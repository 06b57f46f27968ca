#include "adapters/autograd/group_functions.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>

#include "adapters/autograd/gradient_function.h"

namespace rrfp {
namespace {

at::Tensor summed(const at::Tensor& tensor, Collectives& group) {
    at::Tensor sum = tensor.clone(at::MemoryFormat::Contiguous);
    group.all_reduce(elements_of(sum), Reduction::sum);
    return sum;
}

/// A rank's part travels whole, so the parts lie one after the other: [ranks, ...part].
at::Tensor joined(const at::Tensor& part, std::int64_t dimension, Collectives& group) {
    at::Tensor mine = part.contiguous();
    std::vector<std::int64_t> shape = mine.sizes().vec();
    shape.insert(shape.begin(), group.size());
    at::Tensor parts = at::empty(shape, mine.options());
    group.all_gather(elements_of(mine), elements_of(parts));
    return parts.movedim(0, dimension).flatten(dimension, dimension + 1);
}

at::Tensor scattered_sum(const at::Tensor& whole, std::int64_t dimension, Collectives& group) {
    at::Tensor parts =
        whole.unflatten(dimension, {group.size(), -1}).movedim(dimension, 0).contiguous();
    at::Tensor mine = at::empty(parts.sizes().slice(1), parts.options());
    group.reduce_scatter(elements_of(parts), elements_of(mine), Reduction::sum);
    return mine;
}

}  // namespace

Elements elements_of(at::Tensor& tensor) {
    return {tensor.mutable_data_ptr<float>(), static_cast<std::size_t>(tensor.numel()),
            ElementType::float32};
}

at::Tensor sum_of_gradients(const at::Tensor& input, Collectives& group) {
    return differentiable(input, input.detach(),
                          [&group](const at::Tensor& gradient) { return summed(gradient, group); });
}

at::Tensor sum_over(const at::Tensor& input, Collectives& group) {
    return differentiable(input, summed(input.detach(), group),
                          [](const at::Tensor& gradient) { return gradient; });
}

at::Tensor join_parts(const at::Tensor& part, std::int64_t dimension, Collectives& group) {
    return differentiable(part, joined(part.detach(), dimension, group),
                          [&group, dimension](const at::Tensor& gradient) {
                              return scattered_sum(gradient, dimension, group);
                          });
}

at::Tensor part_of_sum(const at::Tensor& whole, std::int64_t dimension, Collectives& group) {
    return differentiable(whole, scattered_sum(whole.detach(), dimension, group),
                          [&group, dimension](const at::Tensor& gradient) {
                              return joined(gradient, dimension, group);
                          });
}

}  // namespace rrfp
