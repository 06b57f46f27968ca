#include "adapters/files/durable_file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace rrfp {
namespace {

[[noreturn]] void fail(const std::string& path, const char* step) {
    throw std::runtime_error(
        fmt::format("{}: cannot {}: {}", path, step, std::generic_category().message(errno)));
}

/// A file descriptor, closed when it goes.
class Descriptor {
  public:
    explicit Descriptor(int value) : value_(value) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (value_ >= 0) ::close(value_);
    }
    int get() const { return value_; }
    /// Closes now, for network file systems tell of a failed write only here.
    bool close() { return ::close(std::exchange(value_, -1)) == 0; }

  private:
    int value_;
};

bool write_all(int file, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

void write_to_disk(const std::string& path, std::span<const std::span<const std::byte>> pieces) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0) fail(path, "create");
    for (const auto& piece : pieces) {
        if (!write_all(file.get(), piece)) fail(path, "write");
    }
    if (::fsync(file.get()) != 0) fail(path, "sync");
    if (!file.close()) fail(path, "close");
}

/// Brings the new name itself to the disk.
void sync_folder(const std::filesystem::path& folder) {
    Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (file.get() < 0) fail(folder, "open");
    if (::fsync(file.get()) != 0) fail(folder, "sync");
}

}  // namespace

void write_durably(const std::string& path, std::span<const std::span<const std::byte>> pieces) {
    const std::string temporary = path + ".part";
    try {
        write_to_disk(temporary, pieces);
        if (std::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "rename its .part to");
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
    const auto folder = std::filesystem::path(path).parent_path();
    sync_folder(folder.empty() ? "." : folder);
}

void write_durably(const std::string& path, const std::string& text) {
    const std::span<const std::byte> pieces[] = {std::as_bytes(std::span(text))};
    write_durably(path, pieces);
}

}  // namespace rrfp
