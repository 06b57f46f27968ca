#include <algorithm>
#include <vector>

#include "runtime/core/arbiters/registry.h"
#include "runtime/core/position_index.h"

namespace rrfp {
namespace {

/// The first entry of the hint order that is ready and admitted. One index of ready positions for
/// each (kind, chunk), since filters bound the microbatches of each on its own.
class Order final : public Arbiter {
  public:
    explicit Order(const ArbiterSetup& setup)
        : list_(setup.hint),
          placement_(setup.pipeline.placement),
          chunks_(placement_.chunks(setup.rank)),
          microbatches_(setup.pipeline.microbatches),
          positions_(static_cast<std::size_t>(task_kinds) * chunks_ * microbatches_),
          ready_(static_cast<std::size_t>(task_kinds) * chunks_,
                 PositionIndex(static_cast<int>(list_.size()))) {
        for (std::size_t position = 0; position < list_.size(); ++position) {
            position_of(list_[position]) = static_cast<int>(position);
        }
    }

    std::string_view name() const override { return "order"; }
    bool ranks_weight_gradients() const override { return true; }
    void begin_iteration() override {
        std::for_each(ready_.begin(), ready_.end(), [](PositionIndex& index) { index.clear(); });
    }
    void ready(const Task& task) override {
        ready_[slot(task)].insert(position_of(task), task.microbatch);
    }
    void dispatched(const Task& task) override { ready_[slot(task)].erase(position_of(task)); }

    std::optional<Task> choose(const Candidates& candidates) override {
        std::optional<int> best;
        for (int kind = 0; kind < task_kinds; ++kind) {
            for (int chunk = 0; chunk < chunks_; ++chunk) {
                const auto position = first(candidates, static_cast<TaskKind>(kind), chunk);
                if (position && (!best || *position < *best)) {
                    best = position;
                }
            }
        }
        return best ? std::optional(list_[*best]) : std::nullopt;
    }

  private:
    std::optional<int> first(const Candidates& candidates, TaskKind kind, int chunk) {
        const auto& only = candidates.admission().only();
        if (only && kind != TaskKind::weight_gradient) {
            const bool here = only->kind == kind && placement_.chunk_of(only->stage) == chunk;
            return here && candidates.contains(*only) ? std::optional(position_of(*only))
                                                      : std::nullopt;
        }
        return ready_[static_cast<std::size_t>(kind) * chunks_ + chunk].first(
            candidates.admission().end(kind, chunk));
    }
    std::size_t slot(const Task& task) const {
        return static_cast<std::size_t>(task.kind) * chunks_ + placement_.chunk_of(task.stage);
    }
    int& position_of(const Task& task) {
        return positions_[slot(task) * microbatches_ + task.microbatch];
    }

    std::vector<Task> list_;
    Placement placement_;
    int chunks_;
    int microbatches_;
    std::vector<int> positions_;        // [slot * microbatches + microbatch]
    std::vector<PositionIndex> ready_;  // [slot]
};

}  // namespace

std::unique_ptr<Arbiter> make_order(const ArbiterSetup& setup) {
    return std::make_unique<Order>(setup);
}

}  // namespace rrfp
