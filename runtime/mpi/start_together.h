#pragma once

#include <functional>

#include "runtime/mpi/mpi_session.h"

namespace rrfp {

/// Runs `step` at every rank, and throws at every rank when it threw at one: the step's own
/// exception there, elsewhere a std::runtime_error that names the rank. So what has started by then
/// is taken down together, which is collective. Itself collective.
void start_together(const MpiSession& mpi, const std::function<void()>& step);

}  // namespace rrfp
