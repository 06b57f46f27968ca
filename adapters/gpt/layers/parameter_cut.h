#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "adapters/gpt/layers/tensor_group.h"

namespace rrfp {

/// How a parameter is divided over a tensor group: along `dimension`, which consists of `blocks`
/// equal blocks, each rank gets its part of every block. (The rows of an attention's combined
/// query, key and value weight are three blocks, each of all heads.)
struct Cut {
    int dimension = 0;
    int blocks = 1;

    friend bool operator==(const Cut&, const Cut&) = default;
};

/// The shape of one of `parts` equal parts. std::logic_error where a block has no such parts.
std::vector<std::int64_t> part_shape(const std::vector<std::int64_t>& whole, Cut cut, int parts);

/// Part `part` of `parts` of `whole`, dense.
at::Tensor take_part(const at::Tensor& whole, Cut cut, int part, int parts);

/// The whole of every rank's part, over the group. Collective.
at::Tensor join_cut(const at::Tensor& part, Cut cut, const TensorGroup& group);

}  // namespace rrfp
