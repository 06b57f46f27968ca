// Invariant: what the ranks of a node record merges into one trace in which no message arrives
// before it was sent and every message is drawn; what cannot be merged is refused by name.
#include "runtime/starpu/tracing/trace.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/system/child_process.h"
#include "tests/support/mpirun.h"
#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A folder that goes with its test.
class TraceTest : public ::testing::Test {
  protected:
    void trace_pipeline(int ranks) {
        std::vector<std::string> command = testing::mpirun(ranks);
        command.insert(command.end(), {TRACED_PIPELINE, folder_.string()});
        const ProgramResult result = run_program(command);
        ASSERT_EQ(result.exit_code, 0) << result.output;
    }
    std::string refusal() const {
        try {
            merge_trace(folder_);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "merged";
    }
    testing::ScratchFolder scratch_;
    const fs::path& folder_ = scratch_.path();
};

/// Messages in comms.rec that arrive before they were sent, and all of them.
struct Arrivals {
    int early = 0;
    int all = 0;
};

Arrivals read_arrivals(const fs::path& file) {
    std::ifstream stream(file);
    Arrivals arrivals;
    double sent = 0;
    std::string key;
    for (std::string line; std::getline(stream, line);) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        if (line.starts_with("SendTime")) sent = std::stod(line.substr(colon + 1));
        if (!line.starts_with("RecvTime")) continue;
        ++arrivals.all;
        if (std::stod(line.substr(colon + 1)) < sent) ++arrivals.early;
    }
    return arrivals;
}

TEST_F(TraceTest, four_ranks_merge_on_one_clock_and_vite_draws_them) {
    if (!starpu_has_fxt()) GTEST_SKIP() << "StarPU was built without FxT";
    trace_pipeline(4);
    const MergedTrace merged = merge_trace(folder_);
    constexpr std::uint64_t tasks = 4 * 6 * 2;
    constexpr std::uint64_t messages = 3 * 6 * 2;
    EXPECT_EQ(merged.ranks, 4);
    EXPECT_TRUE(merged.one_clock);
    EXPECT_GE(merged.states, tasks);
    EXPECT_GE(merged.links, messages);
    const Arrivals arrivals = read_arrivals(folder_ / "comms.rec");
    EXPECT_EQ(arrivals.all, static_cast<int>(messages));
    EXPECT_EQ(arrivals.early, 0);

    if (std::system("command -v vite >/dev/null") != 0) GTEST_SKIP() << "ViTE is not installed";
    const ProgramResult drawn =
        run_program({"env", "QT_QPA_PLATFORM=offscreen", "vite", merged.file, "-e",
                     (folder_ / "picture.svg").string()});
    EXPECT_EQ(drawn.exit_code, 0) << drawn.output;
    EXPECT_THAT(drawn.output, ::testing::ContainsRegex("(^|[^0-9])0 error")) << drawn.output;
}

TEST_F(TraceTest, a_missing_rank_is_named) {
    if (!starpu_has_fxt()) GTEST_SKIP() << "StarPU was built without FxT";
    trace_pipeline(2);
    fs::remove(folder_ / "prof_file_rrfp_0");
    EXPECT_THAT(refusal(), HasSubstr("lacks the file of rank 0 (of 2 ranks)"));
}

TEST_F(TraceTest, a_run_of_one_rank_needs_no_common_clock) {
    if (!starpu_has_fxt()) GTEST_SKIP() << "StarPU was built without FxT";
    trace_pipeline(1);
    const MergedTrace merged = merge_trace(folder_);
    EXPECT_EQ(merged.ranks, 1);
    EXPECT_EQ(merged.links, 0U);
}

TEST_F(TraceTest, refuses_folders_without_traces) {
    EXPECT_THAT(refusal(), HasSubstr("holds no prof_file_*_<rank>"));
    EXPECT_THROW(merge_trace((folder_ / "absent").string()), std::runtime_error);
}

TEST_F(TraceTest, refuses_two_files_of_one_rank) {
    std::ofstream(folder_ / "prof_file_a_0").put('x');
    std::ofstream(folder_ / "prof_file_b_0").put('x');
    EXPECT_THAT(refusal(), HasSubstr("two files of rank 0"));
}

TEST_F(TraceTest, removes_its_own_files_alone) {
    if (!starpu_has_fxt()) GTEST_SKIP() << "StarPU was built without FxT";
    std::ofstream(folder_ / "notes").put('x');
    std::ofstream(folder_ / "prof_file_rrfp_7").put('x');
    fs::create_symlink("notes", folder_ / "prof_file_rrfp_8");
    prepare_trace_folder(folder_);
    EXPECT_FALSE(fs::exists(folder_ / "prof_file_rrfp_7"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "prof_file_rrfp_8"));
    EXPECT_TRUE(fs::exists(folder_ / "notes"));

    std::ofstream(folder_ / "prof_file_alice_0").put('x');
    EXPECT_THROW(prepare_trace_folder(folder_), std::runtime_error);
    EXPECT_THAT(*why_no_trace_folder(folder_), HasSubstr("prof_file_alice_0"));
    EXPECT_TRUE(fs::exists(folder_ / "prof_file_alice_0"));
    EXPECT_THAT(*why_no_trace_folder(std::string(300, 'd')), HasSubstr("300 bytes"));
}

TEST_F(TraceTest, refuses_a_folder_that_cannot_be_made) {
    if (!starpu_has_fxt()) GTEST_SKIP() << "StarPU was built without FxT";
    std::ofstream(folder_ / "file").put('x');
    EXPECT_THROW(prepare_trace_folder((folder_ / "file" / "below").string()), std::runtime_error);
}

}  // namespace
}  // namespace rrfp
