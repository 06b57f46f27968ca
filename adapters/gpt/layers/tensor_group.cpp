#include "adapters/gpt/layers/tensor_group.h"

#include <ATen/core/Tensor.h>

#include "adapters/autograd/group_functions.h"

namespace rrfp {

TensorGroup::TensorGroup(Collectives* ranks, bool sequence_parallel)
    : ranks_(ranks && ranks->size() > 1 ? ranks : nullptr),
      sequence_parallel_(sequence_parallel && ranks_) {}

at::Tensor TensorGroup::enter(const at::Tensor& between) const {
    if (alone()) return between;
    return sequence_parallel_ ? join_parts(between, sequence_dimension, *ranks_)
                              : sum_of_gradients(between, *ranks_);
}

at::Tensor TensorGroup::leave(const at::Tensor& partial) const {
    if (alone()) return partial;
    return sequence_parallel_ ? part_of_sum(partial, sequence_dimension, *ranks_)
                              : sum_over(partial, *ranks_);
}

at::Tensor TensorGroup::own_positions(const at::Tensor& whole, std::int64_t dimension) const {
    if (!sequence_parallel_) return whole;
    const std::int64_t length = whole.size(dimension) / size();
    return whole.narrow(dimension, rank() * length, length);
}

}  // namespace rrfp
