// Invariant: the first place that can be written and has room is taken, and what the others lack is
// said with bytes; where none will do, each one's reason is given with the remedy.
#include "adapters/jobs/surroundings/place.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/jobs/surroundings/environment.h"
#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

using ::testing::HasSubstr;
using testing::ScratchFolder;

constexpr Demand small{.ranks = 2};
constexpr Demand huge{.ranks = 1 << 30};  // four pebibytes

TEST(Place, TheFirstGoodOneIsTakenWithoutAWord) {
    const ScratchFolder first;
    const ScratchFolder second;
    const Place place = choose_place(small, {first.path(), second.path()});
    EXPECT_EQ(place.parent, first.path());
    EXPECT_EQ(place.fact.health, Health::ok);
}

TEST(Place, ThatOneIsSkippedIsToldWithTheReason) {
    const ScratchFolder good;
    const Place place = choose_place(small, {good.file("nowhere"), good.path()});
    EXPECT_EQ(place.parent, good.path());
    EXPECT_EQ(place.fact.health, Health::warn);
    EXPECT_THAT(place.fact.value, HasSubstr("nowhere cannot be written: No such file"));
    EXPECT_THAT(place.fact.value, HasSubstr("files in " + good.path().string() + " instead"));
}

TEST(Place, WithoutOneEachReasonIsGiven) {
    const ScratchFolder good;
    std::filesystem::create_directory(good.file(std::string(200, 'x')));
    const Place place = choose_place(huge, {good.path(), good.file(std::string(200, 'x'))});
    EXPECT_FALSE(place.parent.has_value());
    EXPECT_EQ(place.fact.health, Health::fail);
    EXPECT_THAT(place.fact.value, HasSubstr("free, and 1073741824 ranks want 4429185034.0 MiB"));
    EXPECT_THAT(place.fact.value, HasSubstr("letters, and paths may have 100 here"));
    EXPECT_THAT(place.fact.remedy, HasSubstr("TMPDIR"));
}

TEST(Place, TheSizeThatTheUserGivesSegmentsCounts) {
    const std::uint64_t usual = bytes_wanted(small);
    ScopedVariables variables;
    variables.set("OMPI_MCA_btl_vader_segment_size", "1048576");
    EXPECT_EQ(bytes_wanted(small), usual - 2 * (3 << 20));
}

}  // namespace
}  // namespace rrfp
