// The end of a chunk is told once an iteration, after all its releases and no later than the next
// task of the worker; other chunks go on after it; what it throws ends the iteration.
#include <functional>
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/core/submission_window.h"
#include "tests/starpu/checked_pipeline.h"
#include "tests/starpu/test_runtime.h"

namespace rrfp {
namespace {

using namespace rrfp::testing;

/// Runs iterations and writes down tasks and ends of chunks as the worker sees them.
class Recorder {
  public:
    Recorder(const Pipeline& pipeline, const std::string& arbiter)
        : pipeline_(pipeline), stages_(pipeline) {
        const ScheduleOptions schedule = equal_limits(pipeline, arbiter, 4);
        runner_ = std::make_unique<PipelineRunner>(
            TestRuntime::get(), pipeline, make_dispatcher(pipeline, rank(), schedule),
            [this](const Task& task, std::uint64_t iteration, const TensorList& inputs,
                   const TensorList& gradients) {
                ++tasks_;
                if (task.kind == pipeline_.release_kind()) {
                    ++releases_[pipeline_.placement.chunk_of(task.stage)];
                }
                return stages_(task, iteration, inputs, gradients);
            },
            RunnerOptions{.window = submission_window(pipeline, schedule),
                          .chunk_finished = [this](int chunk) { finished(chunk); }});
    }

    void run(std::uint64_t iteration) {
        releases_.assign(static_cast<std::size_t>(pipeline_.placement.chunks(rank())), 0);
        ends_.clear();
        tasks_ = 0;
        runner_->run(iteration);
    }
    /// In the order of the ends: how many tasks had run.
    const std::vector<std::pair<int, int>>& ends() const { return ends_; }

  private:
    static int rank() { return TestRuntime::get().rank(); }
    void finished(int chunk) {
        EXPECT_EQ(releases_[static_cast<std::size_t>(chunk)], pipeline_.microbatches);
        ends_.emplace_back(chunk, tasks_);
    }

    Pipeline pipeline_;
    CheckedStages stages_;
    std::vector<int> releases_;
    std::vector<std::pair<int, int>> ends_;
    int tasks_ = 0;
    std::unique_ptr<PipelineRunner> runner_;
};

TEST(ChunkEnds, EachIsToldOnceAfterItsReleasesAndBeforeOtherChunksGoOn) {
    for (const bool split : {false, true}) {
        const Pipeline pipeline{
            .placement = Placement::loop(2, 2), .microbatches = 6, .split_weight = split};
        Recorder recorder(pipeline, split ? "bfw" : "bf");
        for (std::uint64_t iteration = 0; iteration < 3; ++iteration) {
            recorder.run(iteration);
            ASSERT_EQ(recorder.ends().size(), 2U);
            const int total = pipeline.task_count(TestRuntime::get().rank());
            EXPECT_LT(recorder.ends()[0].second, total);  // the other chunk overlaps
            EXPECT_EQ(recorder.ends()[1].second, total);
            EXPECT_NE(recorder.ends()[0].first, recorder.ends()[1].first);
        }
    }
}

}  // namespace
}  // namespace rrfp
