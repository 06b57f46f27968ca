// The native half of the Python package: MPI and StarPU on Python's main thread, and a runner whose
// stages are Python callables. Python code goes through rrfp's Python modules, not here.

#include <nanobind/nanobind.h>

#include "megatron_bridge/native/bindings.h"
#include "runtime/core/version.h"

NB_MODULE(_native, module) {
    // A runner whose iteration failed is left to the end of the process: StarPU may still hold it.
    nanobind::set_leak_warnings(false);
    module.attr("__version__") = nanobind::str(rrfp::version.data(), rrfp::version.size());
    rrfp::python::bind_task(module);
    rrfp::python::bind_plan(module);
    rrfp::python::bind_runtime(module);
    rrfp::python::bind_runner(module);
}
