#pragma once

#include <memory>
#include <vector>

#include "runtime/core/dispatcher.h"
#include "runtime/core/schedule_options.h"

namespace rrfp {

/// The dispatchers of all ranks in rank order, as `simulate` takes them. `options` must be valid
/// and hold every rank's hint, where it needs one.
std::vector<std::unique_ptr<Dispatcher>> make_dispatchers(const Pipeline& pipeline,
                                                          const ScheduleOptions& options);

}  // namespace rrfp
