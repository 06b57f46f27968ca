#pragma once

#include <cstdint>
#include <exception>
#include <functional>

namespace rrfp {

/// Called, on a worker or whichever thread made a task ready, when a dispatcher throws. Its context
/// no longer asks it: on return of the handler labelled tasks are ordinary ones, so that they end.
using DispatchFault = std::function<void(std::exception_ptr)>;

/// What the policy has done in a context since it began.
struct PolicyMeasures {
    std::uint64_t dispatched = 0;  ///< tasks handed to workers
    std::uint64_t sleeps = 0;      ///< pops that slept
    double asleep_ms = 0;          ///< time slept in pop, of all workers
    double busy_ms = 0;            ///< time from a task's start to its end, of all workers
};

}  // namespace rrfp
