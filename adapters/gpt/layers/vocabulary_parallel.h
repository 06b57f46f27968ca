#pragma once

#include <ATen/core/TensorBody.h>

#include "adapters/gpt/layers/tensor_group.h"

namespace rrfp {

/// The rows of `weight`, [own vocabulary, hidden], that `tokens`, int64 of the whole vocabulary,
/// name: each rank looks up those it holds. Returns [..., hidden], as `TensorGroup::leave` does.
at::Tensor embed_tokens(const at::Tensor& weight, const at::Tensor& tokens,
                        const TensorGroup& group);

/// Mean cross-entropy of `logits`, [rows, own vocabulary], against `targets`, [rows], int64 of the
/// whole vocabulary; the same scalar on every rank. Two small collectives, of one and two numbers a
/// row: the maximum, then the sum of exponentials beside the target's logit (Shoeybi et al. 2019,
/// section 3, which sends the two apart). No logits travel.
at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets,
                         const TensorGroup& group);

}  // namespace rrfp
