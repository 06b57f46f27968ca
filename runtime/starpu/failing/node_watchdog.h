#pragma once

#include <memory>
#include <string>

#include "runtime/mpi/mpi_session.h"
#include "runtime/starpu/failing/watchdog.h"

namespace rrfp {

/// Of the thread that beats. While it runs, a stopped rank is noticed from within the job.
inline constexpr const char* watchdog_thread_name = "rrfp watchdog";

/// The watchdog of this rank; its beat shows in its node's shared memory. Collective over the
/// node, in construction and in destruction. `limit_s` of 0: it beats, and never ends the job.
/// `key` is what its message calls the limit.
///
/// Each node judges its own ranks: where several nodes work together, the limit must exceed the
/// longest task of any.
std::unique_ptr<Watchdog> make_node_watchdog(const MpiSession& mpi, double limit_s,
                                             std::string key);

}  // namespace rrfp
