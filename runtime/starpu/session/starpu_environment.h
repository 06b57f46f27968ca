#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/starpu/session/binding.h"

namespace rrfp {

/// Sets the environment variables that StarPU reads when it starts, for what starpu_conf cannot
/// say. Call it before StarPU starts, while this is the only thread that touches the environment.
///
/// | variable                         | value                                                     |
/// |----------------------------------|-----------------------------------------------------------|
/// | STARPU_SILENT                    | 1, unless set: 0 shows StarPU's messages                  |
/// | STARPU_HOME                      | `home`: StarPU leaves measurements of the machine there   |
/// | STARPU_WORKERS_NOBIND            | 1 without a binding, else 0                               |
/// | STARPU_MPI_NOBIND                | the same                                                  |
/// | STARPU_WORKERS_CPUID             | the binding's                                             |
/// | STARPU_MPI_THREAD_CPUID          | the binding's                                             |
/// | STARPU_MPI_THREAD_MULTIPLE_SEND  | 0: payloads pair by order, so one thread must send        |
/// | STARPU_FXT_TRACE                 | 1 with a trace folder, else 0                             |
/// | STARPU_FXT_PREFIX                | the trace folder                                          |
/// | STARPU_FXT_SUFFIX                | `trace_file_stem`                                         |
/// | STARPU_GENERATE_TRACE            | 0: ranks are merged after the run                         |
///
/// STARPU_TRACE_BUFFER_SIZE is the user's. All others are unset, since they would replace the
/// policy or the worker, or were seen to stall or abort a rank.
void set_starpu_environment(const std::optional<Binding>& binding, const std::string& trace_folder,
                            const std::string& home);

/// The variables of the environment that are the user's and will be unset.
std::vector<std::string> ignored_starpu_variables();

/// FxT files are called <folder>/<this>_<rank>.
inline constexpr const char* trace_file_stem = "prof_file_rrfp";

}  // namespace rrfp
