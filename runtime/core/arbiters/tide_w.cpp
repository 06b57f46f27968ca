#include "runtime/core/arbiters/hint_positions.h"
#include "runtime/core/arbiters/open_forwards.h"

namespace rrfp {
namespace {

/// `tide` for the split backward. What feeds the stages downstream is the forwards whose backward
/// has not run; what fills the memory is those whose weight gradient has not. Below the hint's
/// level of the former forwards come first, and a weight gradient makes room for one that only the
/// limit holds back. It never idles while anything can run.
class TideW final : public Arbiter {
  public:
    explicit TideW(const ArbiterSetup& setup)
        : hint_(setup),
          level_(OpenForwards::peak(setup.hint)),
          forwards_(setup.pipeline.microbatches * setup.pipeline.placement.chunks(setup.rank)) {}

    std::string_view name() const override { return "tide-w"; }
    bool ranks_weight_gradients() const override { return true; }
    void begin_iteration() override {
        hint_.clear();
        open_.begin_iteration();
    }
    void ready(const Task& task) override { hint_.insert(task); }
    void dispatched(const Task& task) override {
        hint_.erase(task);
        open_.dispatched(task);
    }

    std::optional<Task> choose(const Candidates& candidates) override {
        const RankState& state = candidates.state();
        const auto forward = first(candidates, TaskKind::forward);
        const auto backward = first(candidates, TaskKind::backward);
        const auto weight = first(candidates, TaskKind::weight_gradient);
        const bool ebb = state.forwards_dispatched() < forwards_ && open_.count() < level_;
        if (ebb || state.last_direction() != TaskKind::forward) {
            if (forward) {
                return forward;
            }
            const bool memory_is_full = state.ready().size(TaskKind::forward) > 0;
            if (memory_is_full && weight) {
                return weight;
            }
        }
        if (backward) {
            return backward;
        }
        return forward ? forward : weight;
    }

  private:
    std::optional<Task> first(const Candidates& candidates, TaskKind kind) const {
        const auto position = hint_.first(candidates, kind);
        return position ? std::optional(hint_.task(*position)) : std::nullopt;
    }

    HintPositions hint_;
    int level_;
    int forwards_;  // in an iteration
    OpenForwards open_;
};

}  // namespace

std::unique_ptr<Arbiter> make_tide_w(const ArbiterSetup& setup) {
    return std::make_unique<TideW>(setup);
}

}  // namespace rrfp
