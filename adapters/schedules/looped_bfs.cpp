#include "adapters/schedules/generators.h"
#include "adapters/schedules/require_placement.h"

namespace rrfp {

/// Looped breadth-first (Lamy-Poirier, "Breadth-First Pipeline Parallelism", 2023): all
/// microbatches on one chunk before the next chunk begins, forwards and then backwards. On the
/// placement `loop` that is GPipe's order of each rank, at GPipe's memory and 1/C of its bubble.
HintOrder generate_looped_bfs(const Pipeline& pipeline) {
    require_loop("looped-bfs", pipeline.placement);
    return generate_gpipe(pipeline);
}

}  // namespace rrfp
