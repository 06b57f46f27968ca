#include "adapters/command/show/console.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include <fmt/format.h>

namespace rrfp {
namespace {

bool write_now(std::FILE* stream, std::string_view text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    return std::fflush(stream) == 0 && written;
}

[[noreturn]] void fail() {
    throw std::runtime_error(
        fmt::format("standard output cannot be written: {}; send it elsewhere, or give --quiet",
                    std::strerror(errno)));
}

}  // namespace

void print_error(std::string_view message) {
    write_now(stderr, fmt::format("rrfp: {}\n", message));
}

void print_notices(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) print_error("note: " + line);
}

void print(std::string_view text) {
    if (!write_now(stdout, text)) fail();
}

void print_progress(std::string_view text) { write_now(stdout, text); }

void require_output() {
    // A device that takes nothing says so even for no bytes.
    if (::write(STDOUT_FILENO, "", 0) != 0) fail();
}

}  // namespace rrfp
