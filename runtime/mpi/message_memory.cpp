#include "runtime/mpi/message_memory.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include "runtime/system/descriptor.h"

namespace rrfp {
namespace {

/// Four times what was seen in use.
constexpr off_t least_bytes = 512 * 1024;

/// Open MPI calls it <folder>/vader_segment.<host>.<user>.<job>.<rank>. A rank maps those of its
/// own job only.
std::optional<std::string> mapped_segment(int rank) {
    const std::string ending = fmt::format(".{}", rank);
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        const std::size_t path = line.find('/');
        if (path == std::string::npos || !line.ends_with(ending)) continue;
        if (line.find("/vader_segment.", path) != std::string::npos) return line.substr(path);
    }
    return std::nullopt;
}

/// Returns the errno of a failure, or 0.
int reserve(int file) {
    struct stat seen {};
    if (fstat(file, &seen) != 0) return errno;
    for (off_t bytes = seen.st_size;; bytes /= 2) {
        // Not posix_fallocate: where the file system cannot, it would write under Open MPI's hands.
        if (fallocate(file, 0, 0, bytes) == 0) return 0;
        if (errno != ENOSPC || bytes / 2 < least_bytes) return errno;
    }
}

}  // namespace

void reserve_message_memory(int rank) {
    const auto path = mapped_segment(rank);
    if (!path) return;
    const Descriptor file(open(path->c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (!file.is_open()) return;  // it has no name any more
    const int error = reserve(file.number());
    if (error == 0 || error == EOPNOTSUPP) return;
    throw std::runtime_error(
        fmt::format("{}: {} bytes for messages between the ranks of this node: {}. Make room "
                    "there, or give the container more (docker --shm-size)",
                    *path, least_bytes, std::strerror(error)));
}

}  // namespace rrfp
