#include "adapters/jobs/surroundings/demand.h"

namespace rrfp {

Demand demand_of(const Job& job) {
    return {.ranks = job.layout().world_size(),
            .torch = !job.synthetic(),
            .threads = job.synthetic() ? 1 : job.parallel.threads,
            .spinning = job.schedule.waiting == "spin",
            .busy = job.synthetic() && !job.model.sleep};
}

}  // namespace rrfp
