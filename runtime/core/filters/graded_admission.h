#pragma once

#include "runtime/core/filter.h"

namespace rrfp {

/// Number a rank's stages 0..n-1 in stage order. A forward of the c-th is admitted while
/// D + (n - 1 - c) < limit: every stage leaves one place for each later stage of the rank.
/// Backwards and weight gradients are always admitted. D never passes the limit; with one stage a
/// rank it is the plain rule.
///
/// It ends for any placement, any limits of n or more, and messages in any order. Suppose nothing
/// runs, no message is under way and something is left. No weight gradient is ready, since it would
/// run, so D counts forwards whose backward was not dispatched. Take the highest stage that has
/// one. If it is the last stage, or its gradient is there, its backward is ready and admitted. Else
/// the activation is at the next stage, the c-th of a rank where no stage from the c-th on has
/// anything in flight. If D > 0 there, the last forward admitted there that is in flight was of a
/// stage b < c, and found D + (n - 1 - b) < limit. None was admitted after it that is still in
/// flight, so now D <= limit - (n - 1 - b) <= limit - (n - 1 - c) - 1, and the forward is admitted;
/// if D is 0, since n <= limit. With nothing in flight anywhere a forward of stage 0 is left, and
/// likewise.
///
/// `in_order` is for backwards that run in microbatch order. D alone would hang there as with one
/// stage a rank (determinism.h). So of each stage the span counts, in flight or not: from the next
/// release due to the last forward dispatched. A forward inside the span of its stage is admitted
/// always; one that widens it by w while the sum E of the spans has E + w + (n - 1 - c) <= limit.
/// As what is in flight lies in the spans, D <= E <= limit. Let m be the lowest microbatch that is
/// not done everywhere, and F(s, m) its next task: a backward of m is the one due, and admitted. Of
/// m no backward has run, so m is the release due at every stage. If F(s, m) is inside the span of
/// s, it is admitted. Else that span is empty, and with it those of all later stages, which have
/// only what passed s. E then comes from stages of the rank before s alone; the last forward that
/// widened one left E <= limit - (n - 1 - b) with b < c, so E + 1 + (n - 1 - c) <= limit: it is
/// admitted.
class GradedAdmission final : public Filter {
  public:
    /// `limit` is at least the number of the rank's stages.
    explicit GradedAdmission(int limit, bool in_order = false)
        : limit_(limit), in_order_(in_order) {}
    void restrict(const RankState& state, Admission& admission) const override;

  private:
    void restrict_in_order(const RankState& state, Admission& admission) const;

    int limit_;
    bool in_order_;
};

}  // namespace rrfp
