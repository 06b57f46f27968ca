#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "adapters/collectives/collectives.h"
#include "adapters/gpt/layers/parameter_cut.h"
#include "adapters/gpt/layers/tensor_group.h"

namespace rrfp {

struct Parameter {
    std::string name;             ///< over the whole model, e.g. `blocks.3.attention.qkv.weight`
    at::Tensor value;             ///< float32, dense, requires grad; of a cut one, this rank's part
    std::optional<Cut> cut = {};  ///< over the tensor group; empty: every rank holds the whole
    std::string original = {};    ///< of a tied weight's copy: the parameter it equals

    /// What it is called as a weight of the model, of which a copy is none.
    const std::string& weight() const { return original.empty() ? name : original; }
};

/// One weight at two places of the model, each of which holds a parameter of its own: `copy` begins
/// as `original`, both take every step with the sum of their gradients, and so stay equal bit by
/// bit. In whatever cut of the model, one stage included, so that no cut changes a bit.
struct Tie {
    std::string copy;
    std::string original;
    /// The two ranks that hold one each; null where this rank holds both, or neither. Outlives the
    /// parameters.
    Collectives* holders = nullptr;
};

/// The parameters of the stages of one rank. Each whole one's first value depends on (seed, name)
/// alone, and a rank of a tensor group takes its part of it: the same however the model is cut.
/// Gradients exist from the start, as zeros: their memory is constant and the first backward adds
/// to them like every other.
class ParameterList {
  public:
    explicit ParameterList(std::uint64_t seed, TensorGroup group = {})
        : seed_(seed), group_(group) {}

    /// Before either parameter is added.
    void tie(Tie tie) { ties_.push_back(std::move(tie)); }

    /// A new parameter of independent normal values with mean 0. `shape` is the whole one's.
    at::Tensor normal(const std::string& name, const std::vector<std::int64_t>& shape,
                      double deviation, std::optional<Cut> cut = {});
    at::Tensor constant(const std::string& name, const std::vector<std::int64_t>& shape,
                        double value, std::optional<Cut> cut = {});

    const TensorGroup& group() const { return group_; }
    std::span<const Parameter> all() const { return parameters_; }
    void zero_gradients();
    /// Makes gradients whole once all backwards of an iteration have run: with sequence parallelism
    /// what every rank holds whole has seen this rank's positions alone, and is summed over the
    /// group in one collective; then the gradients of tied weights are summed.
    void finish_gradients();
    /// Sum of squares of all gradients, in double precision, parameter by parameter. What every
    /// rank of the tensor group holds whole counts at its first alone, and a tied weight's copy not
    /// at all, so that the ranks' sums add up to the model's.
    double gradient_square_sum() const;

  private:
    at::Tensor add(const std::string& name, at::Tensor whole, std::optional<Cut> cut);
    bool counts(const Parameter& parameter) const {
        return parameter.original.empty() && (parameter.cut.has_value() || group_.rank() == 0);
    }
    /// Of the parameter that `name` is a copy of; empty for no copy.
    std::string original_of(const std::string& name) const;
    /// The gradient of the parameter `name`; undefined where this rank has none of that name.
    at::Tensor gradient_of(const std::string& name) const;
    void sum_positions();
    void sum_tied(const Tie& tie);

    std::uint64_t seed_;
    TensorGroup group_;
    std::vector<Tie> ties_;
    std::vector<Parameter> parameters_;
};

}  // namespace rrfp
