#pragma once

#include <optional>
#include <string>

#include "runtime/starpu/session/binding.h"

namespace rrfp {

/// Sets the environment variables that StarPU reads when it starts, for what starpu_conf cannot
/// say. Call it before StarPU starts, while this is the only thread that touches the environment.
///
/// | variable                         | value                                                     |
/// |----------------------------------|-----------------------------------------------------------|
/// | STARPU_SCHED, STARPU_SCHED_LIB   | unset: they would replace the policy `rrfp`               |
/// | STARPU_SILENT                    | 1, unless set: 0 shows StarPU's messages                  |
/// | STARPU_WORKERS_NOBIND            | 1 without a binding, else 0                               |
/// | STARPU_MPI_NOBIND                | the same                                                  |
/// | STARPU_WORKERS_CPUID             | the binding's, else unset                                 |
/// | STARPU_WORKERS_COREID            | unset                                                     |
/// | STARPU_MPI_THREAD_CPUID          | the binding's, else unset                                 |
/// | STARPU_MPI_THREAD_COREID         | unset                                                     |
/// | STARPU_MPI_THREAD_MULTIPLE_SEND  | 0: payloads pair by order, so one thread must send        |
/// | STARPU_FXT_TRACE                 | 1 with a trace folder, else 0                             |
/// | STARPU_FXT_PREFIX                | the trace folder, else unset                              |
/// | STARPU_FXT_SUFFIX                | `trace_file_stem`, else unset                             |
/// | STARPU_GENERATE_TRACE            | 0: ranks are merged after the run                         |
///
/// All others are the user's.
void set_starpu_environment(const std::optional<Binding>& binding, const std::string& trace_folder);

/// FxT files are called <folder>/<this>_<rank>.
inline constexpr const char* trace_file_stem = "prof_file_rrfp";

}  // namespace rrfp
