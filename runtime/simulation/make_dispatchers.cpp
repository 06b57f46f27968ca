#include "runtime/simulation/make_dispatchers.h"

namespace rrfp {

std::vector<std::unique_ptr<Dispatcher>> make_dispatchers(const Pipeline& pipeline,
                                                          const ScheduleOptions& options) {
    std::vector<std::unique_ptr<Dispatcher>> dispatchers;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        dispatchers.push_back(make_dispatcher(pipeline, rank, options));
    }
    return dispatchers;
}

}  // namespace rrfp
