#include "adapters/jobs/job/job_plan.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "adapters/jobs/job/kept_bytes.h"

namespace rrfp {

PlanRequest plan_request(const Job& job) {
    PlanRequest request;
    request.pipeline_ranks = job.parallel.pipeline;
    request.data_ranks = job.parallel.data;
    request.tensor_ranks = job.parallel.tensor;
    request.chunks = job.parallel.chunks;
    request.placement = job.parallel.placement;
    request.microbatches = job.train.microbatches;
    request.arbiter = job.schedule.arbiter;
    request.hint = job.schedule.hint;
    request.limit = job.schedule.limit;
    request.limit_given = job.schedule.limit_given;
    request.admission = job.schedule.admission;
    request.split_weight = job.schedule.split_weight;
    request.deterministic = job.schedule.deterministic;
    request.agreement = job.schedule.agreement;
    request.agreement_scope = job.schedule.agreement_scope;
    request.plugin = job.schedule.plugin;
    request.jitter = job.jitter;
    request.seed = job.train.seed;
    request.kept_bytes = [&job](int rank) { return bytes_in_flight(job, rank); };
    if (job.data.text_file.known()) request.text = job.data.text_file;
    return request;
}

Plan plan_of(const Job& job) { return make_plan(plan_request(job)); }

void resolve_schedule(Job& job, const Plan& plan) {
    const std::vector<int>& limits = plan->schedule.limits;
    const auto* numbers = std::get_if<std::vector<int>>(&job.schedule.limit);
    // A number stays one where it is every rank's limit.
    const bool as_it_stands =
        numbers && (job.schedule.limit_given || std::ranges::all_of(limits, [&](int limit) {
                        return limit == numbers->front();
                    }));
    if (!as_it_stands) job.schedule.limit = limits;
    job.schedule.arbiter = plan->schedule.arbiter;
    job.schedule.hint = plan->hint;
    job.schedule.admission = name(plan->schedule.admission);
}

}  // namespace rrfp
