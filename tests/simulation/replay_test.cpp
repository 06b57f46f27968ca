// What an iteration showed of its durations makes, replayed in the order that it ran in, the
// iteration again; and in another order what that order takes on the same draws.
#include "runtime/simulation/replay.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "adapters/schedules/registry.h"
#include "runtime/simulation/simulator.h"

namespace rrfp {
namespace {

struct Example {
    Pipeline pipeline;
    ScheduleOptions fixed;
    ScheduleOptions free;
    Durations drawn;
};

Example drawn_for(std::uint64_t iteration) {
    const Pipeline pipeline{.placement = Placement::loop(4), .microbatches = 12};
    const Jitter jitter{.compute_cv = 0.5, .comm_mean_ms = 3};
    const HintOrder hint = make_hint("1f1b", pipeline);
    return {.pipeline = pipeline,
            .fixed = {.arbiter = "fixed", .hint = hint, .limits = {4, 3, 2, 1}},
            .free = {.arbiter = "bf", .hint = hint, .limits = {8, 7, 6, 5}},
            .drawn = Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20}, jitter,
                                     iteration)};
}

std::vector<RankIteration> records_of(const Example& example_run, const ScheduleOptions& options) {
    std::vector<std::unique_ptr<Dispatcher>> dispatchers;
    for (int rank = 0; rank < example_run.pipeline.placement.ranks(); ++rank) {
        dispatchers.push_back(make_dispatcher(example_run.pipeline, rank, options));
    }
    std::vector<RankIteration> ranks =
        simulate(example_run.pipeline, dispatchers, example_run.drawn).ranks;
    // What a real run notes beside its tasks, at the rank that receives.
    for (const RankIteration& from : std::vector(ranks)) {
        for (const TaskRecord& record : from.tasks) {
            for (const Task& reader : example_run.pipeline.successors(record.task)) {
                if (!example_run.pipeline.crosses_ranks(record.task, reader)) continue;
                ranks[example_run.pipeline.placement.rank_of(reader.stage)].arrivals.push_back(
                    {record.task, record.end_ms + example_run.drawn.message_ms(record.task)});
            }
        }
    }
    return ranks;
}

TEST(Replay, MakesTheIterationAgainInAnyOrder) {
    for (const std::uint64_t iteration : {0, 1, 2}) {
        const Example example_run = drawn_for(iteration);
        const Durations measured =
            measured_durations(example_run.pipeline, records_of(example_run, example_run.free));
        for (const ScheduleOptions* options : {&example_run.free, &example_run.fixed}) {
            const std::vector drawn{example_run.drawn};
            const std::vector replayed{measured};
            EXPECT_NEAR(replayed_ms(example_run.pipeline, *options, replayed),
                        replayed_ms(example_run.pipeline, *options, drawn), 1e-6);
        }
    }
}

TEST(Replay, TakesTheMeanOverIterations) {
    const Example first = drawn_for(0);
    const Example second = drawn_for(1);
    const std::vector both{first.drawn, second.drawn};
    const double one = replayed_ms(first.pipeline, first.fixed, std::span(both).first(1));
    const double other = replayed_ms(first.pipeline, first.fixed, std::span(both).last(1));
    EXPECT_NEAR(replayed_ms(first.pipeline, first.fixed, both), (one + other) / 2, 1e-9);
}

TEST(Replay, TakesAnArrivalBeforeItsSendForNone) {
    const Example example_run = drawn_for(0);
    std::vector<RankIteration> ranks = records_of(example_run, example_run.fixed);
    const Task sent{TaskKind::forward, 0, 5};
    for (RankIteration& rank : ranks) {
        for (ArrivalRecord& arrival : rank.arrivals) {
            if (arrival.producer == sent) arrival.at_ms = -1;
        }
    }
    EXPECT_EQ(measured_durations(example_run.pipeline, ranks).message_ms(sent), 0);
}

TEST(Replay, RefusesWhatIsNoTaskAndNoSample) {
    const Example example_run = drawn_for(0);
    std::vector<RankIteration> ranks = records_of(example_run, example_run.fixed);
    ranks[0].tasks[0].task.microbatch = 12;
    EXPECT_THROW(measured_durations(example_run.pipeline, ranks), std::invalid_argument);
    EXPECT_THROW(replayed_ms(example_run.pipeline, example_run.fixed, {}), std::invalid_argument);
}

}  // namespace
}  // namespace rrfp
