// Guards the invariants of the simulator's properties in the runtime itself, on 8 ranks: every task
// once, with what its predecessors made; D, the four buffers and the order within what the options
// promise, under any arbiter, limits, admission rule, chunks, split, task times and delays.

#include "tests/starpu/random_pipeline.h"

namespace rrfp {
namespace {

TEST(PipelineInvariants, HoldForRandomPipelines) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        testing::check_random_pipeline(seed);
    }
}

}  // namespace
}  // namespace rrfp
