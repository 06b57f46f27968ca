// Guards: members of a group run one order under either protocol, whatever the skew of readiness
// and the latency of what they tell each other; every task once; D within the limit; and without
// skew and latency a group takes exactly as long as a single rank, with the same order.

#include "runtime/simulation/group_simulator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/simulation/run_case.h"

namespace rrfp {
namespace {

constexpr AgreementProtocol protocols[] = {AgreementProtocol::board, AgreementProtocol::allgather};

std::vector<Task> order(const RankIteration& rank) {
    std::vector<Task> tasks;
    for (const TaskRecord& record : rank.tasks) tasks.push_back(record.task);
    return tasks;
}

Durations sample(const Pipeline& pipeline, std::uint64_t seed, double comm_ms) {
    const StageTimes times{.forward_ms = 10, .backward_ms = 20, .weight_ms = 10, .stage_scale = {}};
    Jitter jitter;
    jitter.compute_cv = 0.5;
    jitter.comm_mean_ms = comm_ms;
    jitter.seed = seed;
    return Durations::draw(pipeline, times, jitter, 0);
}

RC_GTEST_PROP(GroupSimulator, MembersRunOneOrder, ()) {
    const int ranks = *rc::gen::inRange(1, 7);
    const Pipeline pipeline{.placement = Placement::loop(ranks, *rc::gen::inRange(1, 4)),
                            .microbatches = *rc::gen::inRange(1, 25),
                            .split_weight = *rc::gen::arbitrary<bool>()};
    ScheduleOptions schedule{
        .arbiter = *rc::gen::element<std::string>("bf", "fb", "b-priority", "f-priority"),
        .hint = {},
        .limits = flat(pipeline, *rc::gen::inRange(1, 6))};
    schedule.deterministic = pipeline.placement.chunks(0) == 1 && *rc::gen::arbitrary<bool>();
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    const double most_ms = *rc::gen::element(0.0, 0.1, 5.0, 40.0);
    GroupOptions group{.members = *rc::gen::inRange(1, 5),
                       .protocol = *rc::gen::element(protocols[0], protocols[1]),
                       .hop_ms = *rc::gen::element(0.0, 0.05, 3.0)};
    std::uint64_t draws = 0;
    std::uint64_t state = seed;
    group.skew_ms = [&](int /*member*/, const Task& /*task*/) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL + ++draws;
        return most_ms * static_cast<double>(state >> 11) * 0x1p-53;
    };
    group.collective = *rc::gen::arbitrary<bool>();
    const auto deciding = dispatchers_of(pipeline, schedule, group.members);
    const auto result = simulate_group(pipeline, deciding, sample(pipeline, seed, 10), group);
    for (int rank = 0; rank < ranks; ++rank) {
        const auto& leader = result.ranks[rank * group.members];
        RC_ASSERT(static_cast<int>(leader.tasks.size()) == pipeline.task_count(rank));
        for (int member = 0; member < group.members; ++member) {
            const RankIteration& done = result.ranks[rank * group.members + member];
            RC_ASSERT(order(done) == order(leader));
            RC_ASSERT(done.in_flight_high_water <=
                      schedule.limits[rank] + (pipeline.placement.chunks(rank) > 1
                                                   ? pipeline.placement.chunks(rank)
                                                   : 0));
            RC_ASSERT(done.agreement.decisions == pipeline.task_count(rank));
            RC_ASSERT(done.tp_coordination_ms >= 0);
        }
    }
}

TEST(GroupSimulator, IsASingleRankWhereNothingIsLate) {
    for (const bool split : {false, true}) {
        for (const std::string arbiter : {"bf", "b-priority", "f-priority"}) {
            const Pipeline pipeline{
                .placement = Placement::loop(4), .microbatches = 12, .split_weight = split};
            const ScheduleOptions schedule{
                .arbiter = arbiter, .hint = {}, .limits = flat(pipeline, 5)};
            const Durations drawn = sample(pipeline, 7, 3);
            const SimulationResult single = run_case(pipeline, schedule, drawn);
            for (const AgreementProtocol protocol : protocols) {
                SCOPED_TRACE(arbiter + " " + name(protocol));
                const auto deciding = dispatchers_of(pipeline, schedule, 2);
                const auto group =
                    simulate_group(pipeline, deciding, drawn, {.members = 2, .protocol = protocol});
                EXPECT_DOUBLE_EQ(group.makespan_ms, single.makespan_ms);
                for (int rank = 0; rank < 4; ++rank) {
                    EXPECT_EQ(order(group.ranks[2 * rank]), order(single.ranks[rank]));
                    EXPECT_EQ(group.ranks[2 * rank].tp_coordination_ms, 0);
                }
            }
        }
    }
}

TEST(GroupSimulator, DecidesAheadUnderBoard) {
    const Pipeline pipeline{.placement = Placement::loop(2), .microbatches = 16};
    const ScheduleOptions schedule{.arbiter = "bf", .hint = {}, .limits = flat(pipeline, 8)};
    const auto deciding = dispatchers_of(pipeline, schedule, 2);
    const auto result =
        simulate_group(pipeline, deciding, sample(pipeline, 3, 0), {.members = 2, .hop_ms = 0.05});
    const AgreementCounts& last_stage = result.ranks[3].agreement;
    EXPECT_GE(last_stage.ahead, last_stage.decisions * 3 / 4);
}

TEST(GroupSimulator, RefusesAMissingDispatcher) {
    const Pipeline pipeline{.placement = Placement::loop(2), .microbatches = 1};
    const ScheduleOptions schedule{.arbiter = "bf", .hint = {}, .limits = flat(pipeline, 1)};
    const auto deciding = dispatchers_of(pipeline, schedule, 1);
    EXPECT_THROW(simulate_group(pipeline, deciding, Durations(pipeline), {.members = 2}),
                 std::invalid_argument);
    EXPECT_THROW(simulate_group(pipeline, deciding, Durations(pipeline), {.members = 0}),
                 std::invalid_argument);
}

}  // namespace
}  // namespace rrfp
