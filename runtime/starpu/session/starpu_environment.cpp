#include "runtime/starpu/session/starpu_environment.h"

#include <cstdlib>
#include <stdexcept>

namespace rrfp {
namespace {

void set(const char* name, const std::string& value) {
    if (setenv(name, value.c_str(), 1) != 0) {
        throw std::runtime_error(std::string("setenv failed for ") + name);
    }
}

void unset(const char* name) { unsetenv(name); }

void set_binding(const std::optional<Binding>& binding) {
    unset("STARPU_WORKERS_COREID");
    unset("STARPU_MPI_THREAD_COREID");
    const char* none = binding ? "0" : "1";
    set("STARPU_WORKERS_NOBIND", none);
    set("STARPU_MPI_NOBIND", none);
    if (binding) {
        set("STARPU_WORKERS_CPUID", std::to_string(binding->worker_pu));
        set("STARPU_MPI_THREAD_CPUID", std::to_string(binding->progress_pu));
    } else {
        unset("STARPU_WORKERS_CPUID");
        unset("STARPU_MPI_THREAD_CPUID");
    }
}

void set_trace(const std::string& folder) {
    set("STARPU_GENERATE_TRACE", "0");
    set("STARPU_FXT_TRACE", folder.empty() ? "0" : "1");
    if (folder.empty()) {
        unset("STARPU_FXT_PREFIX");
        unset("STARPU_FXT_SUFFIX");
    } else {
        set("STARPU_FXT_PREFIX", folder);
        set("STARPU_FXT_SUFFIX", trace_file_stem);
    }
}

}  // namespace

void set_starpu_environment(const std::optional<Binding>& binding,
                            const std::string& trace_folder) {
    unset("STARPU_SCHED");
    unset("STARPU_SCHED_LIB");
    if (std::getenv("STARPU_SILENT") == nullptr) set("STARPU_SILENT", "1");
    set("STARPU_MPI_THREAD_MULTIPLE_SEND", "0");
    set_binding(binding);
    set_trace(trace_folder);
}

}  // namespace rrfp
