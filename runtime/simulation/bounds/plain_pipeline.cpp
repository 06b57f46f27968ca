#include "runtime/simulation/bounds/plain_pipeline.h"

#include <stdexcept>

#include <fmt/format.h>

namespace rrfp {

void require_plain_pipeline(const Pipeline& pipeline, const char* bound) {
    const int stages = pipeline.placement.stages();
    const int ranks = pipeline.placement.ranks();
    if (stages != ranks) {
        throw std::invalid_argument(fmt::format(
            "{}: {} stages on {} ranks; it is proven for one stage a rank", bound, stages, ranks));
    }
    if (pipeline.split_weight || pipeline.forward_only) {
        throw std::invalid_argument(fmt::format(
            "{}: {}; it is proven for forwards and whole backwards", bound,
            pipeline.split_weight ? "the backward is split" : "the iteration has forwards alone"));
    }
}

}  // namespace rrfp
