#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include "runtime/system/descriptor.h"

namespace rrfp {

/// Why a file is not read: path, reason and remedy.
class FileFault : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
};

/// A kind of file that is read.
struct FileKind {
    const char* remedy;  ///< ends every message, for example `give the path of a job file`
    /// No sane file of the kind is larger.
    std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();
};

/// A file that others made, open for reading. Only a regular one of a size that fits its kind is
/// opened, and no more than that size is read: nothing waits for a pipe that nobody writes to, or
/// follows a device or a growing file without end.
class RegularFile {
  public:
    /// Throws FileFault.
    RegularFile(const std::string& path, const FileKind& kind);

    std::uint64_t size() const { return size_; }
    /// Fills `bytes` with what stands at `offset`. Throws FileFault where the file has shrunk.
    void read(std::uint64_t offset, std::span<std::byte> bytes) const;
    /// All of it. Throws FileFault where it is more than this machine's memory, and where it
    /// changed meanwhile.
    std::string content() const;

  private:
    void require_unchanged() const;
    [[noreturn]] void refuse(const std::string& why) const;

    std::string path_;
    FileKind kind_;
    Descriptor file_;
    std::uint64_t size_ = 0;
    std::int64_t changed_s_ = 0;  // when it was written to last
    std::int64_t changed_ns_ = 0;
};

/// What the regular file at `path` holds. Throws FileFault.
std::string read_file(const std::string& path, const FileKind& kind);

}  // namespace rrfp
