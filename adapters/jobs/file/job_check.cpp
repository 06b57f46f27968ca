#include "adapters/jobs/file/job_check.h"

#include "adapters/jobs/file/job_shape.h"
#include "adapters/jobs/job/job_plan.h"

namespace rrfp {
namespace {

std::optional<Plan> check_plan(const Job& job, Faults& faults) {
    try {
        return plan_of(job);
    } catch (const PlanFault& fault) {
        faults.add("schedule." + fault.key(), "{}", fault.what());
        return std::nullopt;
    }
}

}  // namespace

std::optional<Plan> check_job(const Job& job, const Origins& origins, Faults& faults) {
    for (std::string& fault : shape_faults(job, origins)) {
        faults.messages().push_back(std::move(fault));
    }
    const bool one_pipeline = faults.empty();
    check_model(job, faults);
    std::optional<Plan> plan;
    if (one_pipeline) {
        check_output(job, faults);
        check_scale(job, faults);
        plan = check_plan(job, faults);
    }
    check_training(job, faults);
    return faults.empty() ? plan : std::nullopt;
}

}  // namespace rrfp
