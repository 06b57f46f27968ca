#include "runtime/starpu/calls/starpu_call.h"

#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

namespace rrfp {

void check_starpu(int code, std::string_view call, std::string_view remedy) {
    if (code == 0) return;
    throw std::runtime_error(fmt::format("{} failed with code {}: {}{}{}", call, code,
                                         std::generic_category().message(-code),
                                         remedy.empty() ? "" : ". ", remedy));
}

}  // namespace rrfp
