// A hint by name or by file is one for the job it is given to, or is refused.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/schedules/csv.h"
#include "adapters/schedules/faults.h"
#include "adapters/schedules/hint_file.h"
#include "adapters/schedules/registry.h"
#include "runtime/core/hint_check.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class HintFile : public testing::Test {
  protected:
    void SetUp() override { std::filesystem::create_directory(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& text) const {
        const std::string path = folder_ / "hint.csv";
        std::ofstream(path) << text;
        return path;
    }

    std::vector<std::string> refusal(const std::string& path, const Pipeline& pipeline) const {
        try {
            read_hint(path, pipeline);
        } catch (const ScheduleFaults& faults) {
            return faults.messages();
        }
        return {};
    }

  private:
    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() /
        (std::string("rrfp_hint_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(HintFile, IsWhatTheNameGives) {
    const std::string path = write(to_csv(make_schedule("zbv", 4, 2, 3)));
    for (const bool split : {false, true}) {
        const Pipeline pipeline{
            .placement = Placement::v(2), .microbatches = 3, .split_weight = split};
        EXPECT_EQ(hint_of(path, pipeline), hint_of("zbv", pipeline));
    }
}

TEST_F(HintFile, WithBackwardsSplitOnlySometimesFitsBothJobs) {
    const std::string path = write("0F0,0F1,0B0,0I1,0W1\n");
    Pipeline pipeline{.placement = Placement::loop(1), .microbatches = 2, .split_weight = true};
    const auto cells = [&](const HintOrder& hint) {
        std::vector<std::string> words;
        for (const Task& task : hint[0]) words.push_back(to_action(task, pipeline.split_weight));
        return words;
    };
    EXPECT_THAT(cells(read_hint(path, pipeline)),
                ElementsAre("0F0", "0F1", "0I0", "0W0", "0I1", "0W1"));
    check_hint_cover(pipeline, read_hint(path, pipeline));
    pipeline.split_weight = false;
    EXPECT_THAT(cells(read_hint(path, pipeline)), ElementsAre("0F0", "0F1", "0B0", "0B1"));
}

TEST_F(HintFile, OfAnotherShapeIsRefused) {
    const std::string path = write(to_csv(make_schedule("1f1b", 2, 2, 4)));
    EXPECT_THAT(refusal(path, {.placement = Placement::loop(2), .microbatches = 3}),
                testing::Each(HasSubstr("is of microbatch 3; the last of 3 is 2")));
    EXPECT_THAT(refusal(path, {.placement = Placement::loop(2), .microbatches = 5}),
                testing::Contains(HasSubstr("0F4 is missing")));
    EXPECT_THAT(refusal(path, {.placement = Placement::loop(3), .microbatches = 4}),
                testing::Contains(HasSubstr("there must be 3")));
    EXPECT_THAT(
        refusal(path, {.placement = Placement({1, 0}), .microbatches = 4}),
        ElementsAre(HasSubstr("row 1 (rank 0) holds stage 0, which the job places on rank 1"),
                    HasSubstr("row 2 (rank 1) holds stage 1")));
    EXPECT_THAT(refusal(path + "x", {.placement = Placement::loop(2), .microbatches = 4}),
                ElementsAre(AllOf(HasSubstr("hint.csvx"), HasSubstr("cannot be read"))));
}

TEST_F(HintFile, OfTwoDirectionsIsRefused) {
    const std::string path = write(to_csv(make_schedule("chimera", 2, 2, 4)));
    EXPECT_THAT(refusal(path, {.placement = Placement::loop(2), .microbatches = 4}),
                ElementsAre(HasSubstr("two ranks each")));
}

TEST(Hint, IsAFileWhereItLooksLikeOne) {
    EXPECT_TRUE(is_hint_file("a.csv"));
    EXPECT_TRUE(is_hint_file("./zbv"));
    EXPECT_FALSE(is_hint_file("zbv"));
}

TEST(Hint, HasADefaultForEveryJob) {
    const auto hint = [](Placement placement, bool split, std::string_view word) {
        const Pipeline pipeline{
            .placement = std::move(placement), .microbatches = 3, .split_weight = split};
        const std::string name = default_hint(pipeline, word);
        make_hint(name, pipeline);  // is one for it
        return name;
    };
    EXPECT_EQ(hint(Placement::loop(4), false, "loop"), "1f1b");
    EXPECT_EQ(hint(Placement::loop(4), true, "loop"), "zb-h1");
    EXPECT_EQ(hint(Placement::loop(4, 2), false, "loop"), "interleaved-1f1b");
    EXPECT_EQ(hint(Placement::loop(4, 2), true, "loop"), "interleaved-1f1b");
    EXPECT_EQ(hint(Placement::v(4), false, "v"), "zbv");
    EXPECT_EQ(hint(Placement::v(1), true, "v"), "zbv");
    EXPECT_EQ(hint(Placement::loop(1, 2), true, "loop"), "interleaved-1f1b");
    EXPECT_EQ(hint(Placement::wave(4, 4), false, "wave"), "hanayo");
    EXPECT_EQ(hint(Placement({0, 1, 1, 0}), false, "list"), "zbv");
    EXPECT_EQ(hint(Placement({0, 1, 2}), true, "list"), "zb-h1");
    EXPECT_EQ(hint(Placement({0, 0, 1}), true, "list"), "gpipe");
    EXPECT_EQ(hint(Placement({1, 0}), false, "list"), "gpipe");
}

}  // namespace
}  // namespace rrfp
