// With `deterministic`, the gradients of a stage accumulate in microbatch order and the run ends,
// even where messages overtake and limits fall along the pipeline.

#include "runtime/core/filters/determinism.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "runtime/core/arbiters/registry.h"
#include "runtime/core/filters/backpressure.h"
#include "tests/simulation/run_checks.h"

namespace rrfp {
namespace {

RC_GTEST_PROP(Determinism, AccumulatesInMicrobatchOrderUnderAnyLimits, ()) {
    RandomCase example = random_case(readiness_first());
    example.options.deterministic = true;
    if (example.options.admission == AdmissionRule::window) {
        // A hint must accumulate in order itself: window_admission_runs_test draws such ones.
        example.options.admission = AdmissionRule::drain;
    }
    check_accumulates_in_order(run_case(example.pipeline, example.options, example.sample));
}

RC_GTEST_PROP(Determinism, EndsAtTheMemoryOf1F1BWhenMessagesOvertake, ()) {
    const std::string arbiter = *rc::gen::elementOf(readiness_first());
    Pipeline pipeline = one_stage_a_rank(*rc::gen::inRange(2, 9), *rc::gen::inRange(2, 33));
    pipeline.split_weight = find_arbiter(arbiter)->needs_split;
    const Jitter jitter{.compute_cv = 1,
                        .comm_mean_ms = 60,
                        .seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000)};
    const Durations sample =
        Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20}, jitter, 0);
    check_accumulates_in_order(run_case(pipeline,
                                        {.arbiter = arbiter,
                                         .hint = make_hint("1f1b", pipeline),
                                         .limits = falling(pipeline),
                                         .deterministic = true},
                                        sample));
}

/// `deterministic` without its rule for forwards.
class OrderAlone final : public Filter {
  public:
    void restrict(const RankState& state, Admission& admission) const override {
        admission.limit(TaskKind::backward, 0, state.next_undispatched(TaskKind::backward, 0) + 1);
    }
};

/// Whether a run at limit P - s ends, with `rule` deciding on order and forwards.
template <typename MakeRule>
bool ends_at_the_memory_of_1f1b(const Pipeline& pipeline, std::uint64_t seed, MakeRule rule) {
    const Durations sample =
        Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20},
                        {.compute_cv = 0.5, .comm_mean_ms = 10, .seed = seed}, 0);
    std::vector<std::unique_ptr<Dispatcher>> dispatchers;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        const int limit = pipeline.placement.ranks() - rank;
        std::vector<std::unique_ptr<Filter>> filters;
        filters.push_back(std::make_unique<Backpressure>(limit));
        filters.push_back(rule(limit));
        dispatchers.push_back(std::make_unique<Dispatcher>(
            pipeline, rank, make_bf({.pipeline = pipeline, .hint = {}}), std::move(filters)));
    }
    try {
        simulate(pipeline, dispatchers, sample);
    } catch (const std::runtime_error&) {
        return false;
    }
    return true;
}

TEST(Determinism, OrderAloneDeadlocksAtTheMemoryOf1F1BAndTheRuleNeverDoes) {
    constexpr int runs = 100;
    for (const int ranks : {4, 8}) {
        const Pipeline pipeline = one_stage_a_rank(ranks, 4 * ranks);
        int by_order = 0;
        int by_rule = 0;
        for (int seed = 0; seed < runs; ++seed) {
            by_order += ends_at_the_memory_of_1f1b(
                pipeline, seed, [](int) { return std::make_unique<OrderAlone>(); });
            by_rule += ends_at_the_memory_of_1f1b(
                pipeline, seed, [](int limit) { return std::make_unique<Determinism>(limit); });
        }
        EXPECT_EQ(by_rule, runs);
        EXPECT_LE(by_order, 35) << "the test no longer reaches what the rule is for";
    }
}

}  // namespace
}  // namespace rrfp
