#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace rrfp {

/// SHA-256 of bytes that come piece by piece.
class Sha256 {
  public:
    /// Throws std::runtime_error where libcrypto offers no SHA-256.
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    void add(std::span<const std::byte> bytes);
    /// Of all that was added, as lower-case hex. Ends the sum: called once, last.
    std::string hex();

  private:
    struct Context;
    std::unique_ptr<Context> context_;
};

/// SHA-256 of `size` bytes at `data`, as lower-case hex.
std::string sha256_hex(const void* data, std::size_t size);

}  // namespace rrfp
