#include "adapters/command/show/console.h"

#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace rrfp {
namespace {

void write_now(std::FILE* stream, std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stream);
    std::fflush(stream);
}

}  // namespace

void print_error(std::string_view message) {
    write_now(stderr, fmt::format("rrfp: {}\n", message));
}

void print_notices(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) print_error("note: " + line);
}

void print(std::string_view text) { write_now(stdout, text); }

}  // namespace rrfp
