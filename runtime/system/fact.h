#pragma once

#include <string>

namespace rrfp {

enum class Health { ok, warn, fail };

/// One thing that was found out about the machine or its libraries.
struct Fact {
    std::string name;
    std::string value;
    Health health = Health::ok;
    std::string remedy{};  ///< what to do about it; empty when all is well
};

}  // namespace rrfp
