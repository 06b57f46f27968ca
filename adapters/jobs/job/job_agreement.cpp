#include "adapters/jobs/job/job_agreement.h"

#include <algorithm>

#include "runtime/core/arbiters/registry.h"
#include "runtime/core/plugin_loader.h"

namespace rrfp {

bool chooses_locally(const Job& job) {
    const std::string name = job.arbiter_name();
    if (const ArbiterEntry* entry = find_arbiter(name)) return entry->local;
    const auto plugin = job.plugin();
    return plugin && std::ranges::any_of(plugin->arbiters(), [&](const ArbiterEntry& entry) {
               return entry.name == name && entry.local;
           });
}

AgreementOptions agreement_of(const Job& job, int world_rank) {
    const Layout layout = job.layout();
    AgreementOptions options{.members = job.schedule.agreement_scope == "stage"
                                            ? layout.stage_group(world_rank)
                                            : layout.tensor_group(world_rank),
                             .local_choice = chooses_locally(job)};
    if (job.schedule.agreement == "allgather") options.protocol = AgreementProtocol::allgather;
    return options;
}

}  // namespace rrfp
