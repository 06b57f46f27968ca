#include <algorithm>

#include "runtime/core/arbiters/hint_positions.h"

namespace rrfp {
namespace {

/// The most forwards whose backward has not run, in a rank that follows `list`.
int peak_before_backward(const std::vector<Task>& list) {
    int open = 0;
    int peak = 0;
    for (const Task& task : list) {
        if (task.kind == TaskKind::forward) {
            peak = std::max(peak, ++open);
        } else if (task.kind == TaskKind::backward) {
            --open;
        }
    }
    return peak;
}

/// `tide` for the split backward. What feeds the stages downstream is the forwards whose backward
/// has not run; what fills the memory is those whose weight gradient has not. Below the hint's
/// level of the former forwards come first, and a weight gradient makes room for one that only the
/// limit holds back. It never idles while anything can run.
class TideW final : public Arbiter {
  public:
    explicit TideW(const ArbiterSetup& setup)
        : hint_(setup),
          level_(peak_before_backward(setup.hint)),
          forwards_(setup.pipeline.microbatches * setup.pipeline.placement.chunks(setup.rank)) {}

    std::string_view name() const override { return "tide-w"; }
    bool ranks_weight_gradients() const override { return true; }
    void begin_iteration() override {
        hint_.clear();
        open_ = 0;
    }
    void ready(const Task& task) override { hint_.insert(task); }
    void dispatched(const Task& task) override {
        hint_.erase(task);
        if (task.kind == TaskKind::forward) {
            ++open_;
        } else if (task.kind == TaskKind::backward) {
            --open_;
        }
    }

    std::optional<Task> choose(const Candidates& candidates) override {
        const RankState& state = candidates.state();
        const auto forward = first(candidates, TaskKind::forward);
        const auto backward = first(candidates, TaskKind::backward);
        const auto weight = first(candidates, TaskKind::weight_gradient);
        const bool ebb = state.forwards_dispatched() < forwards_ && open_ < level_;
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
    int open_ = 0;  // forwards dispatched whose backward was not
};

}  // namespace

std::unique_ptr<Arbiter> make_tide_w(const ArbiterSetup& setup) {
    return std::make_unique<TideW>(setup);
}

}  // namespace rrfp
