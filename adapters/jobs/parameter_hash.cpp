#include "adapters/jobs/parameter_hash.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "adapters/collectives/world.h"
#include "adapters/jobs/sha256.h"

namespace rrfp {

std::string gather_parameter_hash(const Trainer* trainer) {
    std::string mine;
    if (trainer) {
        for (const auto& [name, digest] : trainer->parameter_digests()) {
            mine += name + ' ' + digest + '\n';
        }
    }
    std::vector<std::string> lines;
    for (const std::string& text : gather(mine)) {
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) {
            lines.push_back(line + '\n');
        }
    }
    if (lines.empty()) {
        return {};
    }
    std::ranges::sort(lines);
    std::string all;
    for (const std::string& line : lines) {
        all += line;
    }
    return sha256_hex(all.data(), all.size());
}

}  // namespace rrfp
