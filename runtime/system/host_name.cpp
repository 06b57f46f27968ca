#include "runtime/system/host_name.h"

#include <array>
#include <unistd.h>

namespace rrfp {

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

}  // namespace rrfp
