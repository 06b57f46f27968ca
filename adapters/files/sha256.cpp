#include "adapters/files/sha256.h"

#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <openssl/evp.h>

namespace rrfp {

std::string sha256_hex(const void* data, std::size_t size) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (EVP_Digest(data, size, digest.data(), &length, EVP_sha256(), nullptr) != 1) {
        throw std::runtime_error("EVP_Digest (SHA-256) failed: libcrypto offers no SHA-256");
    }
    std::string hex;
    for (unsigned i = 0; i < length; ++i) {
        hex += fmt::format("{:02x}", digest[i]);
    }
    return hex;
}

}  // namespace rrfp
