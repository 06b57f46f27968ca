#include <algorithm>
#include <vector>

#include "runtime/core/arbiters/registry.h"
#include "runtime/core/learnt_durations.h"

namespace rrfp {
namespace {

/// The task with the longest path of its microbatch still before it, that task included: the upward
/// rank of list scheduling (Topcuoglu et al., HEFT, 2002). Durations are learnt from the rank's own
/// tasks as they end. Ties go to the lower microbatch, then to the lower chunk.
class CriticalPath final : public Arbiter {
  public:
    explicit CriticalPath(const ArbiterSetup& setup)
        : pipeline_(setup.pipeline), durations_(pipeline_.placement.stages()) {
        paths_.resize(task_kinds, std::vector<double>(pipeline_.placement.stages()));
        measure_paths();
    }

    std::string_view name() const override { return "critical-path"; }
    bool ranks_weight_gradients() const override { return true; }
    void completed(const Task& task, double milliseconds) override {
        durations_.learn(task, milliseconds);
        measure_paths();
    }

    std::optional<Task> choose(const Candidates& candidates) override {
        std::optional<Task> best;
        for (int kind = 0; kind < pipeline_.kinds(); ++kind) {
            for (int chunk = 0; chunk < candidates.state().chunks(); ++chunk) {
                const auto direction = static_cast<TaskKind>(kind);
                const auto microbatch = candidates.first(direction, chunk);
                if (!microbatch) {
                    continue;
                }
                const Task task = candidates.state().task(direction, chunk, *microbatch);
                if (!best || comes_before(task, *best)) {
                    best = task;
                }
            }
        }
        return best;
    }

  private:
    double path(const Task& task) const { return paths_[static_cast<int>(task.kind)][task.stage]; }

    bool comes_before(const Task& left, const Task& right) const {
        if (path(left) != path(right)) {
            return path(left) > path(right);
        }
        return left.microbatch < right.microbatch;
    }

    /// Each path is the task's own time and the longest of those of its successors, which all come
    /// before it here: W(s), B(s) from stage 0 up, then F(s) from the last stage down.
    void measure_paths() {
        const int last = pipeline_.last_stage();
        double after = 0;  // B(s-1), later F(s+1)
        for (int stage = 0; stage <= last; ++stage) {
            const double weight = measure(TaskKind::weight_gradient, stage, 0);
            after = measure(TaskKind::backward, stage,
                            pipeline_.split_weight ? std::max(after, weight) : after);
        }
        after = 0;
        for (int stage = last; stage >= 0; --stage) {
            const double back = path({TaskKind::backward, stage});
            after = measure(TaskKind::forward, stage,
                            pipeline_.forward_only ? after : std::max(after, back));
        }
    }

    double measure(TaskKind kind, int stage, double after) {
        return paths_[static_cast<int>(kind)][stage] = durations_.expected_ms(kind, stage) + after;
    }

    Pipeline pipeline_;
    LearntDurations durations_;
    /// [kind][stage]: expected milliseconds from the start of such a task to the end of the last
    /// one that needs it.
    std::vector<std::vector<double>> paths_;
};

}  // namespace

std::unique_ptr<Arbiter> make_critical_path(const ArbiterSetup& setup) {
    return std::make_unique<CriticalPath>(setup);
}

}  // namespace rrfp
