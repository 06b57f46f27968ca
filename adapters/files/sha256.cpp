#include "adapters/files/sha256.h"

#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <openssl/evp.h>

namespace rrfp {
namespace {

void require(bool done, const char* call) {
    if (done) return;
    throw std::runtime_error(fmt::format("{} (SHA-256) failed: libcrypto offers no SHA-256", call));
}

}  // namespace

struct Sha256::Context {
    EVP_MD_CTX* digest = EVP_MD_CTX_new();

    Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context() { EVP_MD_CTX_free(digest); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
    require(context_->digest && EVP_DigestInit_ex(context_->digest, EVP_sha256(), nullptr) == 1,
            "EVP_DigestInit_ex");
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
    require(EVP_DigestUpdate(context_->digest, bytes.data(), bytes.size()) == 1,
            "EVP_DigestUpdate");
}

std::string Sha256::hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    require(EVP_DigestFinal_ex(context_->digest, digest.data(), &length) == 1,
            "EVP_DigestFinal_ex");
    std::string hex;
    for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
    return hex;
}

std::string sha256_hex(const void* data, std::size_t size) {
    Sha256 sum;
    sum.add({static_cast<const std::byte*>(data), size});
    return sum.hex();
}

}  // namespace rrfp
