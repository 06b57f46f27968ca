#pragma once

#include <string>

namespace rrfp {

/// The name of this node; "localhost" where the system does not tell it.
std::string host_name();

}  // namespace rrfp
