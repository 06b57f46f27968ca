// Measured iterations arrive at rank 0 as they were, and bytes that are cut short are refused.
#include "adapters/jobs/run/iteration_parcel.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

std::vector<RankIteration> example() {
    std::vector<RankIteration> iterations(3);
    iterations[0].tasks = {{{TaskKind::forward, 1, 2}, 0.5, 1.25},
                           {{TaskKind::backward, 1, 2}, 2, 3}};
    iterations[0].arrivals = {{{TaskKind::forward, 0, 2}, 0.25}};
    iterations[2].tasks = {{{TaskKind::weight_gradient, 7, 0}, -1, 1e300}};
    return iterations;
}

TEST(IterationParcel, ComesBackAsItWas) {
    const std::vector<RankIteration> sent = example();
    const std::vector<RankIteration> received = unpack_iterations(pack_iterations(sent));
    ASSERT_EQ(received.size(), sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
        ASSERT_EQ(received[i].tasks.size(), sent[i].tasks.size());
        for (std::size_t k = 0; k < sent[i].tasks.size(); ++k) {
            EXPECT_EQ(received[i].tasks[k].task, sent[i].tasks[k].task);
            EXPECT_EQ(received[i].tasks[k].start_ms, sent[i].tasks[k].start_ms);
            EXPECT_EQ(received[i].tasks[k].end_ms, sent[i].tasks[k].end_ms);
        }
        ASSERT_EQ(received[i].arrivals.size(), sent[i].arrivals.size());
        for (std::size_t k = 0; k < sent[i].arrivals.size(); ++k) {
            EXPECT_EQ(received[i].arrivals[k].producer, sent[i].arrivals[k].producer);
            EXPECT_EQ(received[i].arrivals[k].at_ms, sent[i].arrivals[k].at_ms);
        }
    }
}

TEST(IterationParcel, RefusesBytesThatAreCutShort) {
    const std::string bytes = pack_iterations(example());
    int refused = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        try {
            // What ends between two iterations is fewer of them.
            EXPECT_LT(unpack_iterations(bytes.substr(0, size)).size(), 3U);
        } catch (const std::runtime_error&) {
            ++refused;
        }
    }
    EXPECT_GE(refused, static_cast<int>(bytes.size()) - 3);
}

TEST(IterationParcel, RefusesACountThatNoBytesFollow) {
    EXPECT_THROW(unpack_iterations(std::string(8, '\xff')), std::runtime_error);
}

}  // namespace
}  // namespace rrfp
