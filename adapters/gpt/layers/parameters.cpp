#include "adapters/gpt/layers/parameters.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "adapters/autograd/group_functions.h"
#include "runtime/core/keyed_random.h"
#include "runtime/core/name_hash.h"

namespace rrfp {

at::Tensor ParameterList::normal(const std::string& name, const std::vector<std::int64_t>& shape,
                                 double deviation, std::optional<Cut> cut) {
    const at::Tensor value = at::empty(shape, at::kFloat);
    const std::span<float> elements(value.mutable_data_ptr<float>(),
                                    static_cast<std::size_t>(value.numel()));
    const std::string original = original_of(name);
    const std::uint64_t key = name_hash(original.empty() ? name : original);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        elements[i] = static_cast<float>(deviation * keyed_normal({seed_, key, i}));
    }
    return add(name, value, cut);
}

at::Tensor ParameterList::constant(const std::string& name, const std::vector<std::int64_t>& shape,
                                   double value, std::optional<Cut> cut) {
    return add(name, at::full(shape, value, at::kFloat), cut);
}

at::Tensor ParameterList::add(const std::string& name, at::Tensor whole, std::optional<Cut> cut) {
    if (group_.alone()) cut.reset();
    at::Tensor value =
        cut ? take_part(whole, *cut, group_.rank(), group_.size()) : std::move(whole);
    value.set_requires_grad(true);
    value.mutable_grad() = at::zeros_like(value);
    return parameters_.emplace_back(name, std::move(value), cut, original_of(name)).value;
}

std::string ParameterList::original_of(const std::string& name) const {
    const auto tie = std::ranges::find(ties_, name, &Tie::copy);
    return tie == ties_.end() ? std::string() : tie->original;
}

at::Tensor ParameterList::gradient_of(const std::string& name) const {
    const auto found = std::ranges::find(parameters_, name, &Parameter::name);
    return found == parameters_.end() ? at::Tensor() : found->value.grad();
}

void ParameterList::zero_gradients() {
    for (const Parameter& parameter : parameters_) parameter.value.grad().zero_();
}

void ParameterList::finish_gradients() {
    const c10::AutoGradMode no_graph(false);
    if (group_.sequence_parallel()) sum_positions();
    for (const Tie& tie : ties_) sum_tied(tie);
}

void ParameterList::sum_tied(const Tie& tie) {
    at::Tensor original = gradient_of(tie.original);
    at::Tensor copy = gradient_of(tie.copy);
    if (original.defined() && copy.defined()) {
        original.add_(copy);
        copy.copy_(original);
        return;
    }
    if (!original.defined() && !copy.defined()) return;
    if (tie.holders == nullptr) {
        throw std::logic_error(
            fmt::format("this rank holds one of {} and {}, which are tied, and "
                        "knows no rank with the other",
                        tie.original, tie.copy));
    }
    at::Tensor& own = original.defined() ? original : copy;
    tie.holders->all_reduce(elements_of(own), Reduction::sum);
}

void ParameterList::sum_positions() {
    std::vector<at::Tensor> partial;
    for (const Parameter& parameter : parameters_) {
        if (!parameter.cut) partial.push_back(parameter.value.grad().flatten());
    }
    if (partial.empty()) return;
    at::Tensor joined = at::cat(partial);
    group_.ranks().all_reduce(elements_of(joined), Reduction::sum);
    std::int64_t place = 0;
    for (at::Tensor& gradient : partial) {
        gradient.copy_(joined.narrow(0, place, gradient.numel()));
        place += gradient.numel();
    }
}

double ParameterList::gradient_square_sum() const {
    const c10::AutoGradMode no_graph(false);
    double sum = 0;
    for (const Parameter& parameter : parameters_) {
        if (!counts(parameter)) continue;
        const double norm =
            at::linalg_vector_norm(parameter.value.grad(), 2, std::nullopt, false, at::kDouble)
                .item<double>();
        sum += norm * norm;
    }
    return sum;
}

}  // namespace rrfp
