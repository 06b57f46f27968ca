#include "runtime/system/regular_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>

namespace rrfp {
namespace {

const char* what_it_is(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

std::uint64_t memory_bytes() {
    return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

RegularFile::RegularFile(const std::string& path, const FileKind& kind) : path_(path), kind_(kind) {
    const auto look = [&](int result, const struct stat& status) {
        if (result != 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
        if (!S_ISREG(status.st_mode)) refuse(fmt::format("is {}", what_it_is(status.st_mode)));
    };
    // Looked at before it is opened, for to open a device may do something, and after it, for the
    // name may stand for another file by then.
    struct stat status {};
    look(::stat(path.c_str(), &status), status);
    file_ = Descriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    look(file_.is_open() ? ::fstat(file_.number(), &status) : -1, status);
    size_ = static_cast<std::uint64_t>(status.st_size);
    changed_s_ = status.st_mtim.tv_sec;
    changed_ns_ = status.st_mtim.tv_nsec;
    if (size_ > kind.most_bytes) {
        refuse(fmt::format("has {} bytes, more than the {} that such a file may have", size_,
                           kind.most_bytes));
    }
}

void RegularFile::read(std::uint64_t offset, std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t got =
            ::pread(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
        if (got == 0) refuse(fmt::format("has changed while it was read: it ends at {}", offset));
        offset += static_cast<std::uint64_t>(got);
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
}

std::string RegularFile::content() const {
    if (size_ > memory_bytes()) {
        refuse(fmt::format("has {} bytes, more than this machine's memory", size_));
    }
    std::string text(size_, '\0');
    read(0, std::as_writable_bytes(std::span(text)));
    require_unchanged();
    return text;
}

void RegularFile::require_unchanged() const {
    struct stat status {};
    if (::fstat(file_.number(), &status) == 0 &&
        static_cast<std::uint64_t>(status.st_size) == size_ &&
        status.st_mtim.tv_sec == changed_s_ && status.st_mtim.tv_nsec == changed_ns_) {
        return;
    }
    refuse("has changed while it was read");
}

void RegularFile::refuse(const std::string& why) const {
    throw FileFault(fmt::format("{}: {}; {}", path_, why, kind_.remedy));
}

std::string read_file(const std::string& path, const FileKind& kind) {
    return RegularFile(path, kind).content();
}

}  // namespace rrfp
