#include "adapters/jobs/launch/input_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/mman.h>

namespace rrfp {
namespace {

[[noreturn]] void fail(const char* call) {
    throw std::runtime_error(fmt::format("{}: {}", call, std::strerror(errno)));
}

}  // namespace

InputFile::InputFile(std::string_view text) : descriptor_(memfd_create("rrfp job", MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail("memfd_create");
    while (!text.empty()) {
        const ssize_t written = write(descriptor_, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            close(descriptor_);
            fail("write of the job to its ranks");
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (lseek(descriptor_, 0, SEEK_SET) != 0) {
        close(descriptor_);
        fail("lseek");
    }
}

InputFile::~InputFile() { close(descriptor_); }

std::string read_input() {
    std::string text;
    std::array<char, 1 << 16> part{};
    for (;;) {
        const ssize_t read = ::read(STDIN_FILENO, part.data(), part.size());
        if (read == 0) return text;
        if (read < 0 && errno == EINTR) continue;
        if (read < 0) fail("read of the job from standard input");
        text.append(part.data(), static_cast<std::size_t>(read));
    }
}

}  // namespace rrfp
