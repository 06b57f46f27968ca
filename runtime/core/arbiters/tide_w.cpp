#include "runtime/core/arbiters/hint_level.h"
#include "runtime/core/arbiters/hint_positions.h"

namespace rrfp {
namespace {

/// `tide` for the split backward. What feeds the stages downstream is the forwards whose backward
/// has not run; what fills the memory is those whose weight gradient has not. Below the hint's
/// level of the former forwards come first, with several chunks a rank the kind that the hint has
/// first; and a weight gradient makes room for a forward that only the limit holds back.
///
/// With several chunks a rank it never idles while anything can run. With one it waits for a
/// forward where two are missing to the level and the hint has one before the backward at hand;
/// that it ends is shown as for `tide`.
class TideW final : public Arbiter {
  public:
    explicit TideW(const ArbiterSetup& setup)
        : hint_(setup),
          one_chunk_(setup.pipeline.placement.stages() == setup.pipeline.placement.ranks()),
          level_(one_chunk_ ? hint_level(setup) : OpenForwards::peak(setup.hint)),
          next_(setup) {}

    std::string_view name() const override { return "tide-w"; }
    bool ranks_weight_gradients() const override { return true; }
    void begin_iteration() override {
        hint_.clear();
        open_.begin_iteration();
        next_.begin_iteration();
    }
    void ready(const Task& task) override { hint_.insert(task); }
    void dispatched(const Task& task) override {
        hint_.erase(task);
        open_.dispatched(task);
        next_.dispatched(hint_.position(task));
    }

    std::optional<Task> choose(const Candidates& candidates) override {
        const RankState& state = candidates.state();
        const auto forward = hint_.first(candidates, TaskKind::forward);
        const auto backward = hint_.first(candidates, TaskKind::backward);
        const auto weight = hint_.first(candidates, TaskKind::weight_gradient);
        const bool ebb = next_.forward() && open_.count() < level_;
        const bool forwards_turn = state.last_direction() != TaskKind::forward;
        if (forward && (!backward || (ebb ? one_chunk_ || *forward < *backward : forwards_turn))) {
            return hint_.task(*forward);
        }
        const bool memory_is_full = !forward && state.ready().size(TaskKind::forward) > 0;
        if (weight && memory_is_full && (ebb || forwards_turn)) {
            return hint_.task(*weight);
        }
        if (backward && (forward || !waits(*backward))) {
            return hint_.task(*backward);
        }
        return weight ? std::optional(hint_.task(*weight)) : std::nullopt;
    }

  private:
    bool waits(int backward) const {
        return one_chunk_ && next_.forward() && open_.count() < level_ - 1 &&
               *next_.forward() < backward;
    }

    HintPositions hint_;
    bool one_chunk_;
    int level_;
    OpenForwards open_;
    NextForward next_;
};

}  // namespace

std::unique_ptr<Arbiter> make_tide_w(const ArbiterSetup& setup) {
    return std::make_unique<TideW>(setup);
}

}  // namespace rrfp
