#pragma once

#include <vector>

#include "runtime/core/filter.h"

namespace rrfp {

/// Admits a forward by its place in the hint order: with p forwards before it in the rank's list,
/// it may run once p + 1 - released <= limit. So D never passes the limit, however many chunks
/// there are, and no drain is needed.
///
/// It ends wherever the hint itself can be followed within the limits: of all tasks that were not
/// dispatched, take the first in an order in which the hint can run. Everything before it is done,
/// so it is ready; and the rank has released at least what its list had released at that point, so
/// it is admitted if the list's own peak is within the limit. What the rank holds for weight
/// gradients counts, as in D: a release is the completed W where the backward is split.
class WindowAdmission final : public Filter {
  public:
    /// `list` is the rank's list of the hint; the forwards of each stage come in microbatch order.
    /// `limit` is at least the list's peak.
    WindowAdmission(const Pipeline& pipeline, int rank, const std::vector<Task>& list, int limit);
    void restrict(const RankState& state, Admission& admission) const override;

  private:
    int limit_;
    int forwards_ = 0;
    std::vector<std::vector<int>> ends_;  // [chunk][n]: forwards of chunk among the first n
};

}  // namespace rrfp
