#pragma once

#include <string>

namespace rrfp {

/// The folder that the StarPU in use was installed in, found from where its library was loaded.
/// Throws std::runtime_error when the loader cannot tell.
std::string starpu_prefix();

}  // namespace rrfp
