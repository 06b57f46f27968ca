// traced_pipeline <folder>: one iteration of six microbatches through one stage a rank, traced.

#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

#include "runtime/core/schedule_options.h"
#include "runtime/core/submission_window.h"
#include "runtime/starpu/pipeline_runner.h"
#include "runtime/starpu/runtime.h"
#include "tests/starpu/checked_pipeline.h"

namespace {

rrfp::TensorList two_milliseconds(const rrfp::Task& task, std::uint64_t /*iteration*/,
                                  const rrfp::TensorList& /*inputs*/,
                                  const rrfp::TensorList& /*gradients*/) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return {rrfp::testing::numbers(256, task.microbatch)};
}

void run(rrfp::Runtime& runtime) {
    const rrfp::Pipeline pipeline{.placement = rrfp::Placement::loop(runtime.ranks(), 1),
                                  .microbatches = 6,
                                  .split_weight = false};
    const rrfp::ScheduleOptions schedule = rrfp::testing::equal_limits(pipeline, "bf", 6);
    rrfp::PipelineRunner runner(
        runtime, pipeline, make_dispatcher(pipeline, runtime.rank(), schedule), two_milliseconds,
        {.window = submission_window(pipeline, schedule), .message_delay = {}, .world_ranks = {}});
    runner.run(0);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s <folder>\n", argv[0]);
        return 2;
    }
    try {
        rrfp::Runtime runtime({.watchdog_seconds = 20, .trace_folder = argv[1]});
        try {
            run(runtime);
        } catch (const std::exception& error) {
            runtime.abort(1, error.what());
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
