#include "runtime/system/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdexcept>
#include <string.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace rrfp {

bool Descriptor::close() { return !is_open() || ::close(std::exchange(number_, -1)) == 0; }

bool write_all(int file, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

Pipe make_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("pipe: ") + strerror(errno));
    Pipe made{.read_end = Descriptor(ends[0]), .write_end = Descriptor(ends[1])};
    if (fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) {
        throw std::runtime_error(std::string("fcntl(O_NONBLOCK): ") + strerror(errno));
    }
    return made;
}

}  // namespace rrfp
