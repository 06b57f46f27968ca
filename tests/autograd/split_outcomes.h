#pragma once

#include <vector>

#include "tests/autograd/function_program.h"

namespace rrfp::test {

struct Outcome {
    std::vector<Values> inputs;  ///< gradients of each stage's inputs, of the last microbatch
    Values weights;
};

/// Three microbatches through `functions`, and what `weights` have in the end.
Outcome outcome(const std::vector<Function>& functions, const Values& weights,
                AutogradOptions options);

/// Expects the gradients of the unsplit backward, bit for bit, with and without recomputation.
void expect_split_changes_no_bit(const std::vector<Function>& functions, const Values& weights);

}  // namespace rrfp::test
