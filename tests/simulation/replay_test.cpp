// What an iteration showed of its durations makes, replayed in the order that it ran in, the
// iteration again; and in another order what that order takes on the same draws.
#include "runtime/simulation/replay.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "adapters/schedules/registry.h"
#include "runtime/simulation/simulator.h"

namespace rrfp {
namespace {

struct Run {
    Pipeline pipeline;
    ScheduleOptions fixed;
    ScheduleOptions free;
    Durations drawn;
};

Run example(std::uint64_t iteration) {
    const Pipeline pipeline{.placement = Placement::loop(4), .microbatches = 12};
    const Jitter jitter{.compute_cv = 0.5, .comm_mean_ms = 3};
    const HintOrder hint = make_hint("1f1b", pipeline);
    return {.pipeline = pipeline,
            .fixed = {.arbiter = "fixed", .hint = hint, .limits = {4, 3, 2, 1}},
            .free = {.arbiter = "bf", .hint = hint, .limits = {8, 7, 6, 5}},
            .drawn = Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20}, jitter,
                                     iteration)};
}

std::vector<RankIteration> records_of(const Run& run, const ScheduleOptions& options) {
    std::vector<std::unique_ptr<Dispatcher>> dispatchers;
    for (int rank = 0; rank < run.pipeline.placement.ranks(); ++rank) {
        dispatchers.push_back(make_dispatcher(run.pipeline, rank, options));
    }
    std::vector<RankIteration> ranks = simulate(run.pipeline, dispatchers, run.drawn).ranks;
    // What a real run notes beside its tasks, at the rank that receives.
    for (const RankIteration& from : std::vector(ranks)) {
        for (const TaskRecord& record : from.tasks) {
            for (const Task& reader : run.pipeline.successors(record.task)) {
                if (!run.pipeline.crosses_ranks(record.task, reader)) continue;
                ranks[run.pipeline.placement.rank_of(reader.stage)].arrivals.push_back(
                    {record.task, record.end_ms + run.drawn.message_ms(record.task)});
            }
        }
    }
    return ranks;
}

TEST(Replay, MakesTheIterationAgainInAnyOrder) {
    for (const std::uint64_t iteration : {0, 1, 2}) {
        const Run run = example(iteration);
        const Durations measured = measured_durations(run.pipeline, records_of(run, run.free));
        for (const ScheduleOptions* options : {&run.free, &run.fixed}) {
            const std::vector drawn{run.drawn};
            const std::vector replayed{measured};
            EXPECT_NEAR(replayed_ms(run.pipeline, *options, replayed),
                        replayed_ms(run.pipeline, *options, drawn), 1e-6);
        }
    }
}

TEST(Replay, TakesTheMeanOverIterations) {
    const Run first = example(0);
    const Run second = example(1);
    const std::vector both{first.drawn, second.drawn};
    const double one = replayed_ms(first.pipeline, first.fixed, std::span(both).first(1));
    const double other = replayed_ms(first.pipeline, first.fixed, std::span(both).last(1));
    EXPECT_NEAR(replayed_ms(first.pipeline, first.fixed, both), (one + other) / 2, 1e-9);
}

TEST(Replay, TakesAnArrivalBeforeItsSendForNone) {
    const Run run = example(0);
    std::vector<RankIteration> ranks = records_of(run, run.fixed);
    const Task sent{TaskKind::forward, 0, 5};
    for (RankIteration& rank : ranks) {
        for (ArrivalRecord& arrival : rank.arrivals) {
            if (arrival.producer == sent) arrival.at_ms = -1;
        }
    }
    EXPECT_EQ(measured_durations(run.pipeline, ranks).message_ms(sent), 0);
}

TEST(Replay, RefusesWhatIsNoTaskAndNoSample) {
    const Run run = example(0);
    std::vector<RankIteration> ranks = records_of(run, run.fixed);
    ranks[0].tasks[0].task.microbatch = 12;
    EXPECT_THROW(measured_durations(run.pipeline, ranks), std::invalid_argument);
    EXPECT_THROW(replayed_ms(run.pipeline, run.fixed, {}), std::invalid_argument);
}

}  // namespace
}  // namespace rrfp
