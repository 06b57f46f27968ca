#include <sstream>
#include <string>

#include "adapters/files/safetensors_header.h"
#include "tests/fuzz/targets.h"

namespace rrfp::fuzz {

void safetensors(std::string_view input) {
    std::istringstream file{std::string(input)};
    try {
        read_safetensors_header(file, input.size());
    } catch (const SafetensorsFault&) {
    }
}

}  // namespace rrfp::fuzz
