#include <algorithm>
#include <array>
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
        const auto stages = pipeline_.placement.stages_of(setup.rank);
        own_.assign(stages.begin(), stages.end());
        for (auto& paths : paths_) paths.resize(own_.size());
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
    double path(const Task& task) const {
        return paths_[static_cast<int>(task.kind)][pipeline_.placement.chunk_of(task.stage)];
    }

    bool comes_before(const Task& left, const Task& right) const {
        if (path(left) != path(right)) {
            return path(left) > path(right);
        }
        return left.microbatch < right.microbatch;
    }

    /// Each path is the task's own time and the longest of those of its successors, which all come
    /// before it here: W(s), B(s) from stage 0 up, then F(s) from the last stage down. Only the
    /// rank's own stages are visited. Of the others nothing is learnt here, so all tasks of a kind
    /// are expected to take the same there, and a run of such stages is one product.
    void measure_paths() {
        double after = 0;  // B(s-1)
        int next = 0;      // the lowest stage not yet passed
        for (std::size_t chunk = 0; chunk < own_.size(); ++chunk) {
            const int stage = own_[chunk];
            after = backwards(after, next, stage);
            const double weight = expected(TaskKind::weight_gradient, stage);
            weight_paths()[chunk] = weight;
            after = expected(TaskKind::backward, stage) +
                    (pipeline_.split_weight ? std::max(after, weight) : after);
            backward_paths()[chunk] = after;
            next = stage + 1;
        }
        const int stages = pipeline_.placement.stages();
        after = backwards(after, next, stages);
        // No B is longer than the last stage's, so behind an F comes all of F(s+1), or that B.
        if (pipeline_.forward_only) after = 0;
        int end = stages;  // the lowest stage passed
        for (std::size_t chunk = own_.size(); chunk-- > 0;) {
            const int stage = own_[chunk];
            after += foreign(TaskKind::forward, stage + 1, end);
            after += expected(TaskKind::forward, stage);
            forward_paths()[chunk] = after;
            end = stage;
        }
    }

    /// B of the stage before `end`, of which `begin` and those up to there are not this rank's.
    double backwards(double after, int begin, int end) const {
        if (begin == end) return after;
        if (pipeline_.split_weight) {
            after = std::max(after, expected(TaskKind::weight_gradient, begin));
        }
        return after + foreign(TaskKind::backward, begin, end);
    }

    /// All tasks of `kind` on the stages from `begin` before `end`, none of them this rank's.
    double foreign(TaskKind kind, int begin, int end) const {
        return begin == end ? 0 : (end - begin) * expected(kind, begin);
    }

    double expected(TaskKind kind, int stage) const { return durations_.expected_ms(kind, stage); }

    std::vector<double>& forward_paths() { return paths_[static_cast<int>(TaskKind::forward)]; }
    std::vector<double>& backward_paths() { return paths_[static_cast<int>(TaskKind::backward)]; }
    std::vector<double>& weight_paths() {
        return paths_[static_cast<int>(TaskKind::weight_gradient)];
    }

    Pipeline pipeline_;
    LearntDurations durations_;
    std::vector<int> own_;  ///< the rank's stages, by chunk
    /// [kind][chunk]: expected milliseconds from the start of such a task to the end of the last
    /// one that needs it.
    std::array<std::vector<double>, task_kinds> paths_;
};

}  // namespace

std::unique_ptr<Arbiter> make_critical_path(const ArbiterSetup& setup) {
    return std::make_unique<CriticalPath>(setup);
}

}  // namespace rrfp
