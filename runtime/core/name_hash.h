#pragma once

#include <cstdint>
#include <string_view>

namespace rrfp {

/// A name as a word of a random key (see runtime/core/keyed_random.h): FNV-1a, 64 bits, the same on
/// every machine.
constexpr std::uint64_t name_hash(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char letter : name) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
    }
    return hash;
}

}  // namespace rrfp
