#pragma once

#include <optional>
#include <vector>

#include "runtime/core/arbiters/open_forwards.h"
#include "runtime/core/arbiters/registry.h"

namespace rrfp {

/// The level of open forwards below which a rank may wait for one.
///
/// With one chunk a rank: the hint's own level here, but no more than any rank upstream may have in
/// flight, or this rank could wait for a forward that one of them never sends. With several chunks
/// the drain rule and graded admission need every rank to run what is admitted, so that none may
/// hold a task back: the level is 0.
int hint_level(const ArbiterSetup& setup);

/// The first forward of a rank's list that was not dispatched.
class NextForward {
  public:
    explicit NextForward(const ArbiterSetup& setup);

    void begin_iteration();
    /// The task at `position` of the list was dispatched.
    void dispatched(int position);
    /// Its position; nothing once all were dispatched.
    std::optional<int> forward() const;

  private:
    std::vector<int> forwards_;     // positions
    std::vector<bool> dispatched_;  // [position]
    std::size_t next_ = 0;          // into forwards_
};

}  // namespace rrfp
