// Invariant: a job whose threads keep more cores busy than there are is told so, with the key to
// set; one whose ranks sleep is not.
#include "adapters/jobs/surroundings/crowding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Crowding, SleepingRanksMayOutnumberCores) {
    EXPECT_THAT(examine_crowding({.ranks = 8}, 2), IsEmpty());
    EXPECT_THAT(examine_crowding({.ranks = 4, .torch = true}, 2), IsEmpty());
    EXPECT_THAT(examine_crowding({.ranks = 2, .threads = 4}, 8), IsEmpty());
    EXPECT_THAT(examine_crowding({.ranks = 2, .spinning = true}, 8), IsEmpty());
}

TEST(Crowding, EachKindNamesItsKey) {
    const auto the_fact = [](const Demand& demand, double cores) {
        const std::vector<Fact> facts = examine_crowding(demand, cores);
        EXPECT_EQ(facts.size(), 1U);
        return facts.empty() ? std::string() : facts[0].value + "; " + facts[0].remedy;
    };
    EXPECT_THAT(the_fact({.ranks = 4, .spinning = true}, 2), HasSubstr("schedule.waiting"));
    EXPECT_THAT(the_fact({.ranks = 4, .threads = 2}, 2), HasSubstr("parallel.threads = 1"));
    EXPECT_THAT(the_fact({.ranks = 2, .threads = 4}, 4), HasSubstr("set parallel.threads = 2"));
    EXPECT_THAT(the_fact({.ranks = 4, .busy = true}, 2), HasSubstr("model.sleep"));
    EXPECT_THAT(the_fact({.ranks = 64}, 2), HasSubstr("64 ranks share 2 cores"));
    EXPECT_THAT(the_fact({.ranks = 64}, 0.5), HasSubstr("0.5 cores"));
}

TEST(Crowding, ThreadsThatOutnumberCoresAreKnown) {
    EXPECT_TRUE(crowds_threads({.ranks = 4, .threads = 2}, 4));
    EXPECT_FALSE(crowds_threads({.ranks = 2, .threads = 2}, 4));
    EXPECT_FALSE(crowds_threads({.ranks = 8, .threads = 1}, 4));
}

}  // namespace
}  // namespace rrfp
