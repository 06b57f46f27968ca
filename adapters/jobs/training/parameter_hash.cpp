#include "adapters/jobs/training/parameter_hash.h"

#include <map>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "adapters/collectives/world.h"
#include "adapters/files/sha256.h"

namespace rrfp {

namespace {

/// Adds the lines of one rank. Replicas hold the same parameters, and the copies of a tied weight
/// are equal, so ranks must agree on them.
void add_digests(std::map<std::string, std::string>& digests, const std::string& lines) {
    std::istringstream stream(lines);
    for (std::string name, digest; stream >> name >> digest;) {
        const auto [known, added] = digests.emplace(name, digest);
        if (!added && known->second != digest) {
            throw std::runtime_error(fmt::format(
                "parameter {} differs between ranks that should hold the same: a replica, a tensor "
                "group or a tied weight has come apart, which is a fault of rrfp",
                name));
        }
    }
}

}  // namespace

std::string gather_parameter_hash(const Trainer* trainer) {
    std::string mine;
    if (trainer) {
        for (const auto& [name, digest] : trainer->parameter_digests()) {
            mine += name + ' ' + digest + '\n';
        }
    }
    std::map<std::string, std::string> digests;
    for (const std::string& lines : gather(mine)) add_digests(digests, lines);
    if (digests.empty()) {
        return {};
    }
    std::string all;
    for (const auto& [name, digest] : digests) all += name + ' ' + digest + '\n';
    return sha256_hex(all.data(), all.size());
}

}  // namespace rrfp
