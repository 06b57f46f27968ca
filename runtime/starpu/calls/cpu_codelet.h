#pragma once

#include <starpu.h>

namespace rrfp {

/// A codelet that CPU workers run by `execute`. `name` is a literal; tasks have what colour and how
/// many handles they say themselves.
inline starpu_codelet cpu_codelet(const char* name, starpu_cpu_func_t execute, unsigned color = 0) {
    starpu_codelet codelet;
    starpu_codelet_init(&codelet);
    codelet.cpu_funcs[0] = execute;
    codelet.name = name;
    codelet.color = color;
    return codelet;
}

/// In traces, what is no task of the pipeline.
inline constexpr unsigned auxiliary_color = 0xB07AA1;

}  // namespace rrfp
