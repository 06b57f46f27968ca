// The proven bounds hold for every run that meets what their proofs assume, and the arbiters that
// they are proven for do meet it.

#include <gtest/gtest.h>

#include "runtime/simulation/bounds.h"
#include "runtime/simulation/bounds/alternation_bound.h"
#include "runtime/simulation/bounds/any_choice_bound.h"
#include "runtime/simulation/bounds/in_order_bound.h"
#include "runtime/simulation/bounds/limited_choice_bound.h"
#include "tests/simulation/property_cases.h"
#include "tests/simulation/run_conditions.h"

namespace rrfp {
namespace {

constexpr double rounding = 1 + 1e-9;
constexpr CaseSizes plain{.ranks = 12, .chunks = 1, .microbatches = 40};

/// Every message of a link takes the same time, so that none overtakes another.
void keep_order_of_messages(RandomCase& example) {
    Durations& sample = example.sample;
    for (int stage = 0; stage < sample.stages(); ++stage) {
        for (int microbatch = 0; microbatch < sample.microbatches(); ++microbatch) {
            for (const TaskKind kind : {TaskKind::forward, TaskKind::backward}) {
                sample.set_message_ms({kind, stage, microbatch},
                                      sample.message_ms({kind, stage, 0}));
            }
        }
    }
}

RandomCase plain_case(const std::vector<std::string>& arbiters) {
    RandomCase example = random_case(arbiters, plain);
    example.pipeline.split_weight = false;
    example.options.admission = AdmissionRule::drain;
    example.options.hint = make_hint("gpipe", example.pipeline);
    if (example.options.arbiter == "fixed") {
        example.options.limits = hint_levels(example.pipeline, example.options.hint);
    } else if (*rc::gen::arbitrary<bool>()) {
        example.options.limits = flat(example.pipeline, example.pipeline.microbatches);
    }
    return example;
}

std::vector<std::string> for_whole_backwards() {
    std::vector<std::string> names = arbiter_names();
    std::erase_if(names, [](const std::string& name) { return find_arbiter(name)->needs_split; });
    return names;
}

bool unlimited(const RandomCase& example) {
    return std::all_of(example.options.limits.begin(), example.options.limits.end(),
                       [&](int limit) { return limit >= example.pipeline.microbatches; });
}

/// Asks every bound of every run that meets what the bound assumes.
RunConditions check_bounds(const RandomCase& example, const SimulationResult& result) {
    const Pipeline& pipeline = example.pipeline;
    const Durations& sample = example.sample;
    const RunTable table(pipeline, result);
    const RunConditions met = conditions_of(example, result, table);
    const double makespan = result.makespan_ms;
    if (met.in_order) {
        RC_ASSERT(makespan * rounding >=
                  in_order_bound_ms(pipeline, sample, example.options.limits));
        RC_ASSERT(makespan * rounding >=
                  in_order_bound_ms(pipeline, sample, in_flight_high_water(result)));
    }
    if (met.in_order && met.never_idle) {
        RC_ASSERT(makespan <=
                  rounding * limited_choice_bound_ms(pipeline, sample, example.options.limits));
    }
    if (met.in_order && met.never_idle && unlimited(example)) {
        RC_ASSERT(makespan <= rounding * any_choice_bound_ms(pipeline, sample));
        if (met.alternates) {
            const double bound = alternation_bound_ms(pipeline, sample);
            RC_ASSERT(makespan <= rounding * bound);
            RC_ASSERT(bound <= rounding * steady_alternation_bound_ms(pipeline, sample));
        }
    }
    return met;
}

TEST(ProvenBounds, HoldForTheArbitersTheyAreProvenFor) {
    check_property([] {
        RandomCase example = plain_case({"bf", "bfw", "b-priority", "f-priority"});
        example.options.deterministic = false;
        keep_order_of_messages(example);
        RC_LOG() << describe(example);
        const RunConditions met =
            check_bounds(example, run_case(example.pipeline, example.options, example.sample));
        RC_ASSERT(met.in_order && met.never_idle);
        if (unlimited(example) && example.options.arbiter.starts_with("bf")) {
            RC_ASSERT(met.alternates);
        }
    });
}

TEST(ProvenBounds, HoldForEveryRunThatMeetsTheirConditions) {
    check_property([] {
        RandomCase example = plain_case(for_whole_backwards());
        if (*rc::gen::arbitrary<bool>()) {
            keep_order_of_messages(example);
        }
        RC_LOG() << describe(example);
        const RunConditions met =
            check_bounds(example, run_case(example.pipeline, example.options, example.sample));
        RC_CLASSIFY(met.in_order && met.never_idle);
    });
}

/// Chooses between the first forward and the first backward by chance.
class EitherDirection final : public Arbiter {
  public:
    explicit EitherDirection(std::uint64_t seed) : seed_(seed) {}
    std::string_view name() const override { return "either"; }
    std::optional<Task> choose(const Candidates& candidates) override {
        const auto forward = candidates.first_forward();
        const auto backward = candidates.first_backward();
        const bool first = keyed_bits({seed_, choices_}) % 2 == 0;
        return forward && (first || !backward) ? forward : backward;
    }
    void dispatched(const Task& /*task*/) override { ++choices_; }

  private:
    std::uint64_t seed_;
    std::uint64_t choices_ = 0;
};

TEST(ProvenBounds, HoldWhicheverDirectionIsChosen) {
    check_property([] {
        RandomCase example = plain_case({"bf"});
        example.options.deterministic = false;
        keep_order_of_messages(example);
        RC_LOG() << describe(example);
        const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
        std::vector<std::unique_ptr<Dispatcher>> dispatchers;
        for (int rank = 0; rank < example.pipeline.placement.ranks(); ++rank) {
            dispatchers.push_back(make_dispatcher(
                example.pipeline, rank, example.options,
                std::make_unique<EitherDirection>(keyed_bits({seed, std::uint64_t(rank)}))));
        }
        const RunConditions met =
            check_bounds(example, simulate(example.pipeline, dispatchers, example.sample));
        RC_ASSERT(met.in_order && met.never_idle);
    });
}

TEST(ProvenBounds, AnyChoiceIsReachedByForwardsFirstOnAnUnevenPair) {
    // F = (1, 9), B = (9, 1): the slower direction is on another stage each, and f-priority first
    // takes all of one, then all of the other.
    for (const int microbatches : {1, 5, 20}) {
        const Pipeline pipeline = one_stage_a_rank(2, microbatches);
        Durations sample(pipeline);
        for (int m = 0; m < microbatches; ++m) {
            sample.set_task_ms({TaskKind::forward, 0, m}, 1);
            sample.set_task_ms({TaskKind::forward, 1, m}, 9);
            sample.set_task_ms({TaskKind::backward, 0, m}, 9);
            sample.set_task_ms({TaskKind::backward, 1, m}, 1);
        }
        const auto run = [&](const char* arbiter) {
            return run_case(pipeline, {.arbiter = arbiter, .limits = flat(pipeline, microbatches)},
                            sample)
                .makespan_ms;
        };
        EXPECT_DOUBLE_EQ(any_choice_bound_ms(pipeline, sample), 18 * microbatches + 2);
        EXPECT_DOUBLE_EQ(run("f-priority"), 18 * microbatches + 2);
        // Alternation stays within two microbatches' paths of the slowest stage's work.
        EXPECT_DOUBLE_EQ(steady_alternation_bound_ms(pipeline, sample),
                         10 * (microbatches - 1) + 40);
        EXPECT_LE(run("bf"), alternation_bound_ms(pipeline, sample));
    }
}

TEST(ProvenBounds, Fixed1F1BAtItsOwnMemoryMeetsTheInOrderBoundWhenNothingVaries) {
    const Pipeline pipeline = one_stage_a_rank(4, 16);
    const Durations sample =
        Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20}, {}, 0);
    EXPECT_DOUBLE_EQ(in_order_bound_ms(pipeline, sample, falling(pipeline)), 570);
}

TEST(ProvenBounds, AreRefusedForWhatTheyAreNotProvenFor) {
    const Pipeline chunks{.placement = Placement::loop(2, 2), .microbatches = 2};
    Pipeline split = one_stage_a_rank(2, 2);
    split.split_weight = true;
    for (const Pipeline& pipeline : {chunks, split}) {
        const Durations sample(pipeline);
        EXPECT_THROW(any_choice_bound_ms(pipeline, sample), std::invalid_argument);
        EXPECT_THROW(alternation_bound_ms(pipeline, sample), std::invalid_argument);
        EXPECT_THROW(in_order_bound_ms(pipeline, sample, flat(pipeline, 1)), std::invalid_argument);
    }
}

}  // namespace
}  // namespace rrfp
