// Guards: neither more iterations nor more microbatches make a rank's memory grow: the resident
// size after tens of thousands of messages is that after a few, within 4 MB.

#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "runtime/core/submission_window.h"
#include "tests/starpu/checked_pipeline.h"
#include "tests/starpu/test_runtime.h"

namespace rrfp {
namespace {

using namespace rrfp::testing;

constexpr std::int64_t four_megabytes = 4 << 20;

std::int64_t resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::int64_t total = 0;
    std::int64_t resident = 0;
    statm >> total >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

/// A pipeline of two ranks with messages of 64 KB and no work.
class Stream {
  public:
    explicit Stream(int microbatches)
        : pipeline_{.placement = Placement::loop(2), .microbatches = microbatches},
          options_{.arbiter = "bf", .hint = {}, .limits = {8, 8}},
          runner_(TestRuntime::get(), pipeline_,
                  make_dispatcher(pipeline_, TestRuntime::get().rank(), options_),
                  [](const Task&, std::uint64_t, const TensorList&, const TensorList&) {
                      return TensorList{numbers(8192, 1)};
                  },
                  {.window = submission_window(pipeline_, options_)}) {}

    void run(int iterations) {
        for (int i = 0; i < iterations; ++i) runner_.run(iteration_++);
    }

  private:
    Pipeline pipeline_;
    ScheduleOptions options_;
    PipelineRunner runner_;
    std::uint64_t iteration_ = 0;
};

TEST(PipelineMemory, DoesNotGrowWithIterations) {
    Stream stream(64);
    stream.run(20);
    const std::int64_t early = resident_bytes();
    stream.run(180);
    EXPECT_LT(resident_bytes() - early, four_megabytes);
    meet();
}

TEST(PipelineMemory, DoesNotGrowWithMicrobatches) {
    std::int64_t few = 0;
    {
        Stream stream(16);
        stream.run(50);
        few = resident_bytes();
    }
    Stream stream(1024);
    stream.run(5);
    EXPECT_LT(resident_bytes() - few, four_megabytes);
    meet();
}

}  // namespace
}  // namespace rrfp
