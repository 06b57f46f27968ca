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
///
/// With several chunks the backpressure suffices. Of the lowest microbatch that is not done
/// everywhere exactly one task comes next (or weight gradients); it is ready, in microbatch order
/// nothing is due before it, and the drain's order, microbatch by microbatch and in each along the
/// stages, names it at its rank: so something can run. Under window admission the first task in the
/// hint's order is admitted, where the hint itself accumulates in microbatch order.
class Determinism final : public Filter {
  public:
    /// `limit` is the rank's in-flight limit, positive.
    explicit Determinism(int limit) : limit_(limit) {}
    void restrict(const RankState& state, Admission& admission) const override;

  private:
    int limit_;
};

}  // namespace rrfp
