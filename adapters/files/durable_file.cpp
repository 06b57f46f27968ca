#include "adapters/files/durable_file.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "adapters/files/new_file.h"
#include "runtime/core/shown_text.h"

namespace rrfp {
namespace {

[[noreturn]] void fail(const std::string& path, const char* step) {
    throw std::runtime_error(fmt::format("{}: cannot {}: {}", shown(path), step,
                                         std::generic_category().message(errno)));
}

/// Brings the new name itself to the disk.
void sync_folder(const std::filesystem::path& folder) {
    Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (file.number() < 0) fail(folder, "open");
    if (::fsync(file.number()) != 0) fail(folder, "sync");
}

}  // namespace

void write_durably(const std::string& path, std::span<const std::span<const std::byte>> pieces) {
    NewFile file(path);
    for (const auto& piece : pieces) {
        if (!write_all(file.descriptor().number(), piece)) fail(path, "write");
    }
    if (::fsync(file.descriptor().number()) != 0) fail(path, "sync");
    file.take_the_place();
    const auto folder = std::filesystem::path(path).parent_path();
    sync_folder(folder.empty() ? "." : folder);
}

void write_durably(const std::string& path, const std::string& text) {
    const std::span<const std::byte> pieces[] = {std::as_bytes(std::span(text))};
    write_durably(path, pieces);
}

}  // namespace rrfp
