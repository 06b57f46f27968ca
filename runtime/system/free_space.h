#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rrfp {

/// What a file system still takes from this user.
struct FreeSpace {
    std::uint64_t bytes = 0;
    std::uint64_t files = 0;
};

/// Of the file system that holds `folder`; empty where it cannot be asked.
std::optional<FreeSpace> free_space(const std::string& folder);

/// Why this process cannot write into `folder`; empty where it can.
std::optional<std::string> why_not_writable(const std::string& folder);

/// As "33.5 MiB", "64 KiB" or "12 bytes".
std::string bytes_text(std::uint64_t bytes);

}  // namespace rrfp
