#include <algorithm>
#include <vector>

#include "runtime/core/arbiters/hint_level.h"
#include "runtime/core/arbiters/hint_positions.h"

namespace rrfp {
namespace {

/// What is best among chunks depends on how they lie; docs/scheduling.md has the measurements.
struct Habits {
    /// Under `loop` the gradient of a later chunk feeds the earlier ones: the highest chunk's
    /// backward first. Where stages turn at a rank the hint's order of backwards is kept.
    bool highest_chunk_first = false;
    /// Below the level the hint decides between a forward and a backward, not forwards always:
    /// where stages turn and the limit is the hint's own memory.
    bool hint_decides_below = false;
    /// It waits with this many fewer open forwards than the level. With several chunks under `loop`
    /// one is missing so often that waiting for it costs more than it saves.
    int waits_from = 1;
};

Habits habits_of(const ArbiterSetup& setup) {
    const Placement& placement = setup.pipeline.placement;
    if (placement.stages() == placement.ranks()) {
        return {};
    }
    if (placement == Placement::loop(placement.ranks(), placement.chunks(0))) {
        return {.highest_chunk_first = true, .waits_from = 2};
    }
    const bool no_room =
        !setup.limits.empty() && setup.limits[setup.rank] <= OpenForwards::peak(setup.hint);
    return {.hint_decides_below = no_room};
}

/// Alternation, but a rank with fewer open forwards than the hint would have there takes forwards
/// first, and waits for one: the stages downstream are about to run out of work.
///
/// With one chunk a rank, some rank can always run: were all idle, take the least stage s that
/// waits with a backward at hand. No rank before it has anything it would run, so all of them are
/// as far with backwards as s and have as much in flight (no weight gradient is left: it would
/// run), which is below the limit of each; then rank 0 has a forward to run.
///
/// Under window admission it waits only for a forward that the hint has before every backward at
/// hand. The first task in the hint's order is ready and admitted, and either is that forward or
/// a backward, which then runs.
class Tide final : public Arbiter {
  public:
    explicit Tide(const ArbiterSetup& setup)
        : hint_(setup),
          habits_(habits_of(setup)),
          level_(hint_level(setup)),
          by_window_(setup.admission == AdmissionRule::window),
          next_(setup) {}

    std::string_view name() const override { return "tide"; }
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
        const auto forward = hint_.first(candidates, TaskKind::forward);
        const auto backward = hint_.first(candidates, TaskKind::backward);
        if (forward && (!backward || prefers(*forward, *backward, candidates.state()))) {
            return hint_.task(*forward);
        }
        if (!backward || (!forward && waits(*backward))) {
            return std::nullopt;
        }
        return habits_.highest_chunk_first ? candidates.first_backward()
                                           : std::optional(hint_.task(*backward));
    }

  private:
    /// So many open forwards are missing to the hint's level; none once all were dispatched.
    int missing() const { return next_.forward() ? level_ - open_.count() : 0; }

    bool prefers(int forward, int backward, const RankState& state) const {
        if (missing() > 0) {
            return !habits_.hint_decides_below || forward < backward;
        }
        return state.last_direction() != TaskKind::forward;
    }

    bool waits(int backward) const {
        return missing() >= habits_.waits_from && (!by_window_ || *next_.forward() < backward);
    }

    HintPositions hint_;
    Habits habits_;
    int level_;
    bool by_window_;
    OpenForwards open_;
    NextForward next_;
};

}  // namespace

std::unique_ptr<Arbiter> make_tide(const ArbiterSetup& setup) {
    return std::make_unique<Tide>(setup);
}

}  // namespace rrfp
