#include "adapters/gpt/layers/vocabulary_parallel.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/stack.h>

#include "adapters/autograd/gradient_function.h"
#include "adapters/autograd/group_functions.h"

namespace rrfp {
namespace {

/// Which tokens this rank holds, and at which row; where it does not, row 0.
struct OwnTokens {
    at::Tensor rows;  // int64
    at::Tensor held;  // float32, 1 or 0

    OwnTokens(const at::Tensor& tokens, std::int64_t own, const TensorGroup& group) {
        const at::Tensor shifted = tokens.sub(group.rank() * own);
        const at::Tensor here = shifted.ge(0).logical_and(shifted.lt(own));
        rows = shifted.mul(here);
        held = here.to(at::kFloat);
    }
};

/// The loss and what its gradient needs, outside every graph.
struct ParallelLoss {
    at::Tensor value;    // scalar
    at::Tensor softmax;  // [rows, own vocabulary]

    ParallelLoss(const at::Tensor& logits, const OwnTokens& targets, Collectives& ranks) {
        at::Tensor maximum = logits.amax(1, /*keepdim=*/true);
        ranks.all_reduce(elements_of(maximum), Reduction::max);
        const at::Tensor shifted = logits.sub(maximum);
        softmax = shifted.exp();
        const at::Tensor target =
            shifted.gather(1, targets.rows.unsqueeze(1)).squeeze(1).mul(targets.held);
        at::Tensor sums = at::stack({softmax.sum(1), target});
        ranks.all_reduce(elements_of(sums), Reduction::sum);
        softmax.div_(sums[0].unsqueeze(1));
        value = sums[0].log().sub(sums[1]).mean();
    }
};

}  // namespace

at::Tensor embed_tokens(const at::Tensor& weight, const at::Tensor& tokens,
                        const TensorGroup& group) {
    if (group.alone()) return at::embedding(weight, tokens);
    const OwnTokens own(tokens, weight.size(0), group);
    return group.leave(at::embedding(weight, own.rows).mul(own.held.unsqueeze(-1)));
}

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets,
                         const TensorGroup& group) {
    if (group.alone()) return at::cross_entropy_loss(logits, targets);
    const OwnTokens own(targets, logits.size(1), group);
    const ParallelLoss loss(logits.detach(), own, group.ranks());
    return differentiable(
        logits, loss.value, [softmax = loss.softmax, own](const at::Tensor& gradient) {
            const at::Tensor mean = gradient.div(softmax.size(0));
            return softmax.scatter_add(1, own.rows.unsqueeze(1), own.held.unsqueeze(1).neg())
                .mul(mean);
        });
}

}  // namespace rrfp
