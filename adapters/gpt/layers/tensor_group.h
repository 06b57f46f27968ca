#pragma once

#include <cstdint>

#include <ATen/core/TensorBody.h>

#include "adapters/collectives/collectives.h"

namespace rrfp {

/// Of an activation, [batch, sequence, hidden].
inline constexpr std::int64_t sequence_dimension = 1;

/// The ranks that share each layer, as the layers see them.
///
/// Between a layer's large products, activations are the same on all
/// ranks, or, with sequence parallelism, cut along the sequence. `enter` and `leave` stand where
/// Megatron-LM's f and g do (see group_functions.h). A rank alone passes everything as it is.
class TensorGroup {
  public:
    TensorGroup() = default;
    /// `ranks` outlives this and every graph made through it; null for a rank alone.
    TensorGroup(Collectives* ranks, bool sequence_parallel);

    bool alone() const { return ranks_ == nullptr; }
    int rank() const { return alone() ? 0 : ranks_->rank(); }
    int size() const { return alone() ? 1 : ranks_->size(); }
    bool sequence_parallel() const { return sequence_parallel_; }
    /// Only where not `alone`.
    Collectives& ranks() const { return *ranks_; }

    /// What layers cut over the group read: the whole sequence.
    at::Tensor enter(const at::Tensor& between) const;
    /// What they leave behind, summed over the group.
    at::Tensor leave(const at::Tensor& partial) const;
    /// This rank's part of the positions along `dimension`; all of them where they are not cut.
    at::Tensor own_positions(const at::Tensor& whole, std::int64_t dimension) const;

  private:
    Collectives* ranks_ = nullptr;
    bool sequence_parallel_ = false;
};

}  // namespace rrfp
