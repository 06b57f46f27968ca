#pragma once

#include "runtime/core/filter.h"

namespace rrfp {

/// The in-flight limit of one rank (paper, appendix C.2).
///
/// While D is at the limit: with one stage a rank no forward is admitted. Where any rank of the
/// pipeline holds several, that alone could deadlock, since a backward may need a forward of
/// another chunk of a rank that is full; so every rank then drains microbatches one after the other
/// from 0, each in its local order F(0)..F(C-1), B(C-1)..B(0) and, where the backward is split,
/// W(C-1)..W(0): the first of these that was not dispatched is the only task admitted. D may then
/// pass the limit by up to C, the rank's chunks. Weight gradients are always admitted: they only
/// release memory. Until its W completes a microbatch counts in D, so what W's still hold is within
/// the same bound, however long they are put off.
class Backpressure final : public Filter {
  public:
    /// `limit` is positive.
    explicit Backpressure(int limit) : limit_(limit) {}
    void restrict(const RankState& state, Admission& admission) const override;

  private:
    int limit_;
};

}  // namespace rrfp
