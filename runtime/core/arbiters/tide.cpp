#include <algorithm>
#include <vector>

#include "runtime/core/arbiters/hint_positions.h"
#include "runtime/core/arbiters/open_forwards.h"

namespace rrfp {
namespace {

/// The level of open forwards below which a rank takes forwards alone.
///
/// With one chunk a rank: the hint's own level here, but no more than any rank upstream may have in
/// flight, or this rank could wait for a forward that one of them never sends. With several chunks
/// the drain rule and graded admission need every rank to run what is admitted, so that none may
/// hold a task back: the level is 0.
int floor_of(const ArbiterSetup& setup) {
    const Placement& placement = setup.pipeline.placement;
    if (placement.stages() > placement.ranks() && setup.admission != AdmissionRule::window) {
        return 0;
    }
    int floor = OpenForwards::peak(setup.hint);
    const int stage = placement.stages_of(setup.rank).front();
    for (int above = 0; above <= stage && !setup.limits.empty(); ++above) {
        floor = std::min(floor, setup.limits[placement.rank_of(above)]);
    }
    return floor;
}

/// Alternation, but a rank with fewer open forwards than the hint would have there takes only
/// forwards, and waits for one: the stages downstream are about to run out of work.
///
/// With one chunk a rank, some rank can always run: were all idle, take the
/// least stage s that waits with a backward at hand. No rank before it has anything it would run,
/// so all of them are as far with backwards as s and have as much in flight (no weight gradient is
/// left: it would run), which is below the limit of each; then rank 0 has a forward to run.
///
/// Under window admission it waits only for a forward that the hint has before the backward at
/// hand. The first task in the hint's order is ready and admitted, and either is that forward or
/// runs.
class Tide final : public Arbiter {
  public:
    explicit Tide(const ArbiterSetup& setup)
        : hint_(setup),
          floor_(floor_of(setup)),
          by_window_(setup.admission == AdmissionRule::window),
          dispatched_(hint_.size()) {
        for (int position = 0; position < hint_.size(); ++position) {
            if (hint_.task(position).kind == TaskKind::forward) {
                forwards_.push_back(position);
            }
        }
    }

    std::string_view name() const override { return "tide"; }
    void begin_iteration() override {
        hint_.clear();
        open_.begin_iteration();
        std::fill(dispatched_.begin(), dispatched_.end(), false);
        next_forward_ = 0;
    }
    void ready(const Task& task) override { hint_.insert(task); }
    void dispatched(const Task& task) override {
        hint_.erase(task);
        open_.dispatched(task);
        dispatched_[hint_.position(task)] = true;
        while (next_forward_ < forwards_.size() && dispatched_[forwards_[next_forward_]]) {
            ++next_forward_;
        }
    }

    std::optional<Task> choose(const Candidates& candidates) override {
        const auto forward = hint_.first(candidates, TaskKind::forward);
        const auto backward = hint_.first(candidates, TaskKind::backward);
        const bool forwards_turn = candidates.state().last_direction() != TaskKind::forward;
        const bool ebb = next_forward_ < forwards_.size() && open_.count() < floor_;
        if (forward && (ebb || forwards_turn)) {
            return hint_.task(*forward);
        }
        if (backward && !(ebb && wants_forward_before(*backward))) {
            return hint_.task(*backward);
        }
        return forward ? std::optional(hint_.task(*forward)) : std::nullopt;
    }

  private:
    bool wants_forward_before(int backward) const {
        return !by_window_ || forwards_[next_forward_] < backward;
    }

    HintPositions hint_;
    int floor_;
    bool by_window_;
    OpenForwards open_;
    std::vector<bool> dispatched_;  // [position]
    std::vector<int> forwards_;     // positions
    std::size_t next_forward_ = 0;  // into forwards_: the first that was not dispatched
};

}  // namespace

std::unique_ptr<Arbiter> make_tide(const ArbiterSetup& setup) {
    return std::make_unique<Tide>(setup);
}

}  // namespace rrfp
