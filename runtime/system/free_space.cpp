#include "runtime/system/free_space.h"

#include <cerrno>
#include <cstring>
#include <limits>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

namespace rrfp {

std::optional<FreeSpace> free_space(const std::string& folder) {
    struct statvfs found {};
    if (statvfs(folder.c_str(), &found) != 0) return std::nullopt;
    constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();
    // Some file systems make inodes as they need them, and count none.
    return FreeSpace{.bytes = std::uint64_t{found.f_bavail} * found.f_frsize,
                     .files = found.f_files == 0 ? unbounded : std::uint64_t{found.f_favail}};
}

std::optional<std::string> why_not_writable(const std::string& folder) {
    struct stat seen {};
    if (stat(folder.c_str(), &seen) != 0) return std::strerror(errno);
    if (!S_ISDIR(seen.st_mode)) return "it is no folder";
    if (access(folder.c_str(), W_OK | X_OK) != 0) return std::strerror(errno);
    return std::nullopt;
}

std::string bytes_text(std::uint64_t bytes) {
    constexpr std::uint64_t kib = 1024;
    constexpr std::uint64_t mib = kib * kib;
    if (bytes < kib) return fmt::format("{} bytes", bytes);
    if (bytes < mib) return fmt::format("{} KiB", bytes / kib);
    return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / static_cast<double>(mib));
}

}  // namespace rrfp
