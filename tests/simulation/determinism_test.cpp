// With `deterministic`, the gradients of a stage accumulate in microbatch order and the run ends,
// even where messages overtake and limits fall along the pipeline.

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/simulation/random_case.h"

namespace rrfp {
namespace {

void check_order(const SimulationResult& result) {
    for (const RankIteration& rank : result.ranks) {
        std::map<std::pair<TaskKind, int>, int> next;
        for (const TaskRecord& record : rank.tasks) {
            if (record.task.kind != TaskKind::forward) {
                RC_ASSERT(record.task.microbatch ==
                          (next[{record.task.kind, record.task.stage}]++));
            }
        }
    }
}

RC_GTEST_PROP(Determinism, AccumulatesInMicrobatchOrderUnderAnyLimits, ()) {
    RandomCase example = random_case(readiness_first());
    example.options.deterministic = true;
    check_order(run_case(example.pipeline, example.options, example.sample));
}

RC_GTEST_PROP(Determinism, EndsAtTheMemoryOf1F1BWhenMessagesOvertake, ()) {
    const Pipeline pipeline = one_stage_a_rank(*rc::gen::inRange(2, 9), *rc::gen::inRange(2, 33));
    const Jitter jitter{.compute_cv = 1,
                        .comm_mean_ms = 60,
                        .seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000)};
    const Durations sample =
        Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20}, jitter, 0);
    check_order(run_case(pipeline,
                         {.arbiter = *rc::gen::elementOf(readiness_first()),
                          .hint = make_hint("1f1b", pipeline),
                          .limits = falling(pipeline),
                          .deterministic = true},
                         sample));
}

}  // namespace
}  // namespace rrfp
