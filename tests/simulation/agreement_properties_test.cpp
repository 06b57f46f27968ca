// The guarantees hold for groups that agree, whatever the protocol, the skew of readiness and the
// time that telling takes: every run ends, all members of a group run one order, every task once
// and after its inputs, and the limit holds at each member.

#include <gtest/gtest.h>

#include "runtime/simulation/bounds.h"
#include "runtime/simulation/group_simulator.h"
#include "tests/simulation/property_cases.h"
#include "tests/simulation/run_case.h"
#include "tests/simulation/run_checks.h"

namespace rrfp {
namespace {

struct GroupCase {
    RandomCase example;
    GroupOptions group;
};

/// `allgather` takes no arbiter whose choice depends on what one member alone knows.
std::vector<std::string> arbiters_for(AgreementProtocol protocol) {
    std::vector<std::string> names = arbiter_names();
    std::erase_if(names, [&](const std::string& name) {
        return protocol == AgreementProtocol::allgather && find_arbiter(name)->local;
    });
    return names;
}

GroupCase group_case() {
    const auto protocol = *rc::gen::element(AgreementProtocol::board, AgreementProtocol::allgather);
    GroupCase drawn{
        random_case(arbiters_for(protocol), {.ranks = 6, .chunks = 3, .microbatches = 12}),
        {.members = *rc::gen::inRange(1, 5),
         .protocol = protocol,
         .hop_ms = *rc::gen::element(0.0, 0.05, 3.0),
         .collective = *rc::gen::arbitrary<bool>()}};
    const double longest = *rc::gen::element(0.0, 0.1, 5.0, 80.0);
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    drawn.group.skew_ms = [longest, seed](int member, const Task& task) {
        const auto word = [](auto value) { return static_cast<std::uint64_t>(value); };
        return longest * keyed_uniform({seed, word(member), word(task.kind), word(task.stage),
                                        word(task.microbatch)});
    };
    return drawn;
}

SimulationResult run_group(const GroupCase& drawn) {
    const auto& [example, group] = drawn;
    return simulate_group(example.pipeline,
                          dispatchers_of(example.pipeline, example.options, group.members),
                          example.sample, group);
}

/// What the pipeline of equal members did: one member of each group.
SimulationResult member_of(const SimulationResult& result, int member, int members) {
    SimulationResult one{.makespan_ms = result.makespan_ms};
    for (std::size_t rank = member; rank < result.ranks.size(); rank += members) {
        one.ranks.push_back(result.ranks[rank]);
    }
    return one;
}

TEST(Guarantees, HoldInGroupsThatAgree) {
    check_property([] {
        const GroupCase drawn = group_case();
        const RandomCase& example = drawn.example;
        RC_LOG() << name(drawn.group.protocol) << ", " << drawn.group.members << " members, "
                 << describe(example);
        const SimulationResult result = run_group(drawn);
        const SimulationResult leader = member_of(result, 0, drawn.group.members);
        for (int member = 0; member < drawn.group.members; ++member) {
            const SimulationResult own = member_of(result, member, drawn.group.members);
            const RunTable table(example.pipeline, own);
            check_limits(example, own);
            for (std::size_t rank = 0; rank < own.ranks.size(); ++rank) {
                const auto& tasks = own.ranks[rank].tasks;
                for (std::size_t i = 0; i < tasks.size(); ++i) {
                    RC_ASSERT(tasks[i].task == leader.ranks[rank].tasks[i].task);
                    RC_ASSERT(tasks[i].start_ms >= ready_ms(example, table, tasks[i].task));
                }
            }
        }
        RC_ASSERT(result.makespan_ms * (1 + 1e-9) >=
                  bounds(example.pipeline, example.sample).lower_bound_ms);
    });
}

}  // namespace
}  // namespace rrfp
