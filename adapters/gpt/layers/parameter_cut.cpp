#include "adapters/gpt/layers/parameter_cut.h"

#include <stdexcept>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/autograd/group_functions.h"

namespace rrfp {

std::vector<std::int64_t> part_shape(const std::vector<std::int64_t>& whole, Cut cut, int parts) {
    std::vector<std::int64_t> shape = whole;
    std::int64_t& length = shape.at(static_cast<std::size_t>(cut.dimension));
    if (length % (cut.blocks * parts) != 0) {
        throw std::logic_error(
            fmt::format("a parameter of shape {} has no {} equal parts of {} blocks along its "
                        "dimension {}",
                        whole, parts, cut.blocks, cut.dimension));
    }
    length /= parts;
    return shape;
}

at::Tensor take_part(const at::Tensor& whole, Cut cut, int part, int parts) {
    const std::vector<std::int64_t> shape = part_shape(whole.sizes().vec(), cut, parts);
    return whole.unflatten(cut.dimension, {cut.blocks, parts, -1})
        .select(cut.dimension + 1, part)
        .reshape(shape)
        .contiguous();
}

at::Tensor join_cut(const at::Tensor& part, Cut cut, const TensorGroup& group) {
    at::Tensor mine = part.detach().contiguous();
    std::vector<std::int64_t> shape = mine.sizes().vec();
    shape.insert(shape.begin(), group.size());
    at::Tensor parts = at::empty(shape, mine.options());
    group.ranks().all_gather(elements_of(mine), elements_of(parts));
    // [ranks, ..., blocks, part, ...] -> [..., blocks, ranks, part, ...]
    return parts.unflatten(cut.dimension + 1, {cut.blocks, -1})
        .movedim(0, cut.dimension + 1)
        .flatten(cut.dimension, cut.dimension + 2)
        .contiguous();
}

}  // namespace rrfp
