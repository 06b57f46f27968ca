#pragma once

#include "runtime/core/filter.h"

namespace rrfp {

/// Makes gradients bit-identical whatever the order of arrival: the backwards and the weight
/// gradients of a chunk run in microbatch order, so that they accumulate in one order.
///
/// Forwards stay free, but with one chunk F(m) is admitted only when m < r + limit, r being the
/// next release due here (backward, or weight gradient where the backward is split). D < limit
/// alone deadlocks when messages overtake and limits fall along the pipeline: a rank may fill up
/// with forwards whose backwards must all come after one whose forward it no longer admits.
class Determinism final : public Filter {
  public:
    /// `limit` is the rank's in-flight limit, positive.
    explicit Determinism(int limit) : limit_(limit) {}
    void restrict(const RankState& state, Admission& admission) const override;

  private:
    int limit_;
};

}  // namespace rrfp
