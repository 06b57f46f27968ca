// Guards: a limit rule is read alike by every front end, and no size makes it overflow.

#include "adapters/plan/limit_rule.h"

#include <stdexcept>

#include <gmock/gmock.h>

namespace rrfp {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(LimitRule, IsAFactorOrBytes) {
    EXPECT_EQ(limit_rule("P-s").factor, 1);
    EXPECT_EQ(limit_rule("17P-s").factor, 17);
    EXPECT_EQ(limit_rule("3 MiB").bytes, 3 << 20);
    EXPECT_EQ(limit_rule("1000000000GiB").bytes, std::int64_t{1'000'000'000} << 30);
    EXPECT_THROW(limit_rule("1000001P-s"), std::invalid_argument);
    EXPECT_THROW(limit_rule("1000000001B"), std::invalid_argument);
    EXPECT_THROW(limit_rule("99999999999999999999P-s"), std::invalid_argument);
}

TEST(LimitRule, FallsAlongThePipelineAndRefusesMoreThanALimitCanBe) {
    EXPECT_THAT(falling_limits(2, 4), ElementsAre(8, 7, 6, 5));
    EXPECT_EQ(falling_limits(1'000'000, 1000).front(), most_limit);
    EXPECT_THROW(falling_limits(1'000'000, 1001), std::invalid_argument);
    EXPECT_THROW(falling_limits(1'000'000, 4096), std::invalid_argument);
}

TEST(LimitRule, BytesAreCountedInMicrobatchesUpToTheMostThereAre) {
    EXPECT_EQ(limit_in_bytes(100, 30), 3);
    EXPECT_EQ(limit_in_bytes(100, 101), 0);
    EXPECT_EQ(limit_in_bytes(std::int64_t{1} << 60, 1), most_limit);
    EXPECT_EQ(limit_in_bytes(100, 1, 7), 7);
}

TEST(LimitRule, ANumberIsForEveryRankAndAListForEach) {
    const LimitScope four{.ranks = 4};
    EXPECT_THAT(limits_of(std::vector{5}, four), ::testing::AllOf(SizeIs(4), Each(5)));
    EXPECT_THAT(limits_of(std::vector{4, 3, 9, 1}, four), ElementsAre(4, 3, 9, 1));
    EXPECT_THROW(limits_of(std::vector{4, 3}, four), std::invalid_argument);
    EXPECT_THROW(limits_of("8KiB", four), std::invalid_argument) << "nobody knows what is kept";
}

}  // namespace
}  // namespace rrfp
