// Guards: each rank receives what the rank before it sends, and nothing else; every task finds its
// inputs, and every value has exactly one producer and one place that frees it, for any placement.

#include "runtime/starpu/iteration/rank_links.h"

#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

using Message = std::tuple<Direction, int, int, int>;  // direction, stage, from, to

std::vector<Pipeline> pipelines() {
    std::vector<Pipeline> result;
    for (const bool split : {false, true}) {
        for (const Placement& placement :
             {Placement::loop(1), Placement::loop(4), Placement::loop(3, 2), Placement({0, 0, 0}),
              Placement({1, 2, 2, 0, 3, 1, 1, 3}), Placement({0, 1, 1, 0})}) {
            result.push_back({.placement = placement, .microbatches = 1, .split_weight = split});
        }
    }
    Pipeline evaluation = result[4];
    evaluation.split_weight = false;
    evaluation.forward_only = true;
    result.push_back(evaluation);
    return result;
}

TEST(RankLinks, PairSendsWithReceives) {
    for (const Pipeline& pipeline : pipelines()) {
        std::multiset<Message> sent;
        std::multiset<Message> received;
        for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
            const RankLinks links(pipeline, rank);
            for (const Link& link : links.links()) {
                if (link.send_to) sent.emplace(link.direction, link.stage, rank, *link.send_to);
                if (link.receive_from) {
                    received.emplace(link.direction, link.stage, *link.receive_from, rank);
                }
            }
        }
        EXPECT_EQ(sent, received);
        std::multiset<Message> expected;
        for (int s = 0; s + 1 < pipeline.placement.stages(); ++s) {
            const int low = pipeline.placement.rank_of(s);
            const int high = pipeline.placement.rank_of(s + 1);
            if (low == high) continue;
            expected.emplace(Direction::activation, s + 1, low, high);
            if (!pipeline.forward_only) expected.emplace(Direction::gradient, s, high, low);
        }
        EXPECT_EQ(sent, expected);
    }
}

TEST(RankLinks, ConnectTasksAsTheirPredecessorsSay) {
    for (const Pipeline& pipeline : pipelines()) {
        for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
            const RankLinks links(pipeline, rank);
            std::map<int, int> writers;
            for (int kind = 0; kind < pipeline.kinds(); ++kind) {
                for (const int stage : pipeline.placement.stages_of(rank)) {
                    const TaskLinks own = links.of(static_cast<TaskKind>(kind), stage);
                    if (own.output >= 0) ++writers[own.output];
                    EXPECT_EQ(own.input >= 0, stage > 0);
                    EXPECT_EQ(own.gradient >= 0, kind > 0);
                    for (const int link : {own.input, own.gradient}) {
                        if (link < 0) continue;
                        EXPECT_EQ(links.links()[link].stage, stage);
                    }
                }
            }
            for (int i = 0; i < static_cast<int>(links.links().size()); ++i) {
                const Link& link = links.links()[i];
                EXPECT_EQ(writers[i] + (link.receive_from ? 1 : 0), 1) << "link " << i;
                EXPECT_EQ(link.last_reader, pipeline.release_kind());
            }
        }
    }
}

TEST(RankLinks, TellTheBufferThatHoldsAValue) {
    const RankLinks links({.placement = Placement::loop(3), .microbatches = 1}, 1);
    std::map<std::pair<Direction, int>, BufferKind> buffers;
    for (const Link& link : links.links()) buffers[{link.direction, link.stage}] = link.buffer();
    EXPECT_EQ((buffers[{Direction::activation, 1}]), BufferKind::forward_ready);
    EXPECT_EQ((buffers[{Direction::activation, 2}]), BufferKind::forward_finished);
    EXPECT_EQ((buffers[{Direction::gradient, 1}]), BufferKind::backward_ready);
    EXPECT_EQ((buffers[{Direction::gradient, 0}]), BufferKind::backward_finished);
    // The last stage's own result is what its backward waits for.
    const RankLinks last({.placement = Placement::loop(3), .microbatches = 1}, 2);
    EXPECT_EQ(last.links()[last.of(TaskKind::forward, 2).output].buffer(),
              BufferKind::backward_ready);
}

}  // namespace
}  // namespace rrfp
