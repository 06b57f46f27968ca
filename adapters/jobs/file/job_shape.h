#pragma once

#include <string>
#include <vector>

#include "adapters/jobs/file/origins.h"
#include "adapters/jobs/job/job.h"

namespace rrfp {

/// Sets what was not given and follows from other keys: `parallel.chunks` from the placement,
/// `model.layers` from `layers_per_stage`.
void fill_shape(Job& job, const Origins& origins);

/// What keeps the keys of `job` from describing one pipeline: stages that no rank holds, layers
/// that make no stages. One message a fault; where there is none, `Job::pipeline` and
/// `Job::layers_of_stages` may be called.
std::vector<std::string> shape_faults(const Job& job, const Origins& origins);

}  // namespace rrfp
