#include "adapters/jobs/launch/input_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <span>
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

InputFile::InputFile(std::string_view text) : file_(memfd_create("rrfp job", MFD_CLOEXEC)) {
    if (!file_.is_open()) fail("memfd_create");
    if (!write_all(file_.number(), std::as_bytes(std::span(text)))) {
        fail("write of the job to its ranks");
    }
    if (lseek(file_.number(), 0, SEEK_SET) != 0) fail("lseek");
}

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
