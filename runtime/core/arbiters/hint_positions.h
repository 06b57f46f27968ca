#pragma once

#include <optional>
#include <vector>

#include "runtime/core/arbiters/registry.h"
#include "runtime/core/position_index.h"

namespace rrfp {

/// A rank's list of the hint order, and which of its entries are ready: the first admitted one of a
/// kind in O(chunks log n). One index of ready positions for each (kind, chunk), since filters
/// bound the microbatches of each on its own.
class HintPositions {
  public:
    explicit HintPositions(const ArbiterSetup& setup);

    /// Nothing is ready.
    void clear();
    void insert(const Task& task);
    void erase(const Task& task);

    /// The position of the first entry of `kind` that is ready and admitted.
    std::optional<int> first(const Candidates& candidates, TaskKind kind) const;
    /// The entry at `position`.
    const Task& task(int position) const { return list_[position]; }
    int position(const Task& task) const;
    int size() const { return static_cast<int>(list_.size()); }

  private:
    std::optional<int> first(const Candidates& candidates, TaskKind kind, int chunk) const;
    std::size_t slot(const Task& task) const;

    std::vector<Task> list_;
    Placement placement_;
    int chunks_;
    int microbatches_;
    std::vector<int> positions_;        // [slot * microbatches + microbatch]
    std::vector<PositionIndex> ready_;  // [slot]
};

}  // namespace rrfp
