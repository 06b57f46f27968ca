#pragma once

#include <string_view>

namespace rrfp {

/// Throws std::runtime_error that names `call`, the code and its text when StarPU returned a
/// negative errno. `remedy` ends the message when there is one.
void check_starpu(int code, std::string_view call, std::string_view remedy = {});

}  // namespace rrfp
