#include "adapters/gpt/layers/dropout.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mul.h>

#include "runtime/core/keyed_random.h"
#include "runtime/core/name_hash.h"

namespace rrfp {

at::Tensor Dropout::operator()(const at::Tensor& input, const Microbatch& microbatch,
                               std::string_view site) const {
    if (probability_ == 0 || microbatch.evaluate) return input;
    const std::uint64_t key =
        keyed_bits({seed_, name_hash("dropout"), microbatch.iteration,
                    static_cast<std::uint64_t>(microbatch.index), name_hash(site)});
    const double keep = 1 - probability_;
    std::vector<std::int64_t> whole = input.sizes().vec();
    if (group_.sequence_parallel()) whole.at(sequence_dimension) *= group_.size();
    at::Tensor mask = at::empty(whole, input.options().requires_grad(false));
    mask.bernoulli_(keep, at::make_generator<at::CPUGeneratorImpl>(key)).div_(keep);
    return at::mul(input, group_.own_positions(mask, sequence_dimension));
}

}  // namespace rrfp
