#include "runtime/simulation/bounds/in_order_bound.h"

#include <algorithm>
#include <vector>

#include "runtime/simulation/bounds/plain_pipeline.h"

namespace rrfp {
namespace {

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;

class EarliestStarts {
  public:
    EarliestStarts(const Pipeline& pipeline, const Durations& durations,
                   std::span<const int> limits)
        : pipeline_(pipeline), durations_(durations), limits_(limits), starts_(pipeline) {}

    double makespan() {
        const int last = pipeline_.last_stage();
        for (int microbatch = 0; microbatch < pipeline_.microbatches; ++microbatch) {
            for (int stage = 0; stage <= last; ++stage) {
                settle_forward(stage, microbatch);
            }
            for (int stage = last; stage >= 0; --stage) {
                settle_backward(stage, microbatch);
            }
        }
        return end({B, 0, pipeline_.microbatches - 1});
    }

  private:
    double end(const Task& task) const { return starts_.task_ms(task) + durations_.task_ms(task); }
    double arrival(const Task& producer) const {
        const bool crosses = pipeline_.sends_message(producer);
        return end(producer) + (crosses ? durations_.message_ms(producer) : 0);
    }

    void settle_forward(int stage, int microbatch) {
        const int limit = limits_[pipeline_.placement.rank_of(stage)];
        double start = stage > 0 ? arrival({F, stage - 1, microbatch}) : 0;
        if (microbatch >= limit) {
            start = std::max(start, end({B, stage, microbatch - limit}));
        }
        start = std::max(start, after_all(stage, microbatch, microbatch - limit + 1));
        starts_.set_task_ms({F, stage, microbatch}, start);
    }

    void settle_backward(int stage, int microbatch) {
        double start = end({F, stage, microbatch});
        if (stage < pipeline_.last_stage()) {
            start = std::max(start, arrival({B, stage + 1, microbatch}));
        }
        start = std::max(start, after_all(stage, microbatch + 1, microbatch));
        starts_.set_task_ms({B, stage, microbatch}, start);
    }

    /// The earliest time at which the first `forwards` forwards and `backwards` backwards of a
    /// stage can all have ended: over every time t, t plus the durations of those from t on.
    double after_all(int stage, int forwards, int backwards) const {
        int f = forwards - 1;
        int b = std::max(backwards, 0) - 1;
        double work = 0;
        double latest = 0;
        while (f >= 0 || b >= 0) {
            const double forward = f >= 0 ? starts_.task_ms({F, stage, f}) : -1;
            const double backward = b >= 0 ? starts_.task_ms({B, stage, b}) : -1;
            const bool take_forward = forward >= backward;
            work += durations_.task_ms(take_forward ? Task{F, stage, f--} : Task{B, stage, b--});
            latest = std::max(latest, std::max(forward, backward) + work);
        }
        return latest;
    }

    const Pipeline& pipeline_;
    const Durations& durations_;
    std::span<const int> limits_;
    Durations starts_;  // the table of earliest starts has the shape of one of durations
};

}  // namespace

double in_order_bound_ms(const Pipeline& pipeline, const Durations& durations,
                         std::span<const int> limits) {
    require_plain_pipeline(pipeline, "in_order_bound_ms");
    return EarliestStarts(pipeline, durations, limits).makespan();
}

}  // namespace rrfp
