#include "adapters/jobs/training/manifest.h"

#include <stdexcept>
#include <string>

#include "tests/fuzz/targets.h"

namespace rrfp::fuzz {

void manifest(std::string_view input) {
    try {
        parse_manifest(std::string(input), "/nowhere");
    } catch (const std::runtime_error&) {
    }
}

}  // namespace rrfp::fuzz
