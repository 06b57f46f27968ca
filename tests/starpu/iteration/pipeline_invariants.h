#pragma once

// Guards the invariants of the simulator's properties in the runtime itself: every task once, with
// what its predecessors made; D, the four buffers and the order within what the options promise,
// under any arbiter, limits, admission rule, chunks, split, task times and delays. Test files that
// include this one say on how many ranks.

#include "tests/starpu/random_pipeline.h"

namespace rrfp {
namespace {

TEST(PipelineInvariants, HoldForRandomPipelines) {
    // The more ranks, the longer each takes.
    const auto pipelines = static_cast<std::uint64_t>(96 / testing::TestRuntime::get().ranks());
    for (std::uint64_t seed = 0; seed < pipelines; ++seed) {
        testing::check_random_pipeline(seed);
    }
}

}  // namespace
}  // namespace rrfp
