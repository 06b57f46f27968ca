#include "adapters/files/new_file.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/random.h>

#include "runtime/core/shown_text.h"

namespace rrfp {
namespace {

/// Short, whatever the target's name is: both must fit the file system.
std::string name_beside(const std::string& target) {
    std::uint64_t bits = 0;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits) {
        throw std::runtime_error(fmt::format("getrandom: {}", std::strerror(errno)));
    }
    const auto folder = std::filesystem::path(target).parent_path();
    return (folder / fmt::format(".rrfp-{:016x}", bits)).string();
}

[[noreturn]] void fail(const std::string& path, const char* step) {
    throw std::system_error(errno, std::generic_category(),
                            fmt::format("{}: cannot {}", shown(path), step));
}

}  // namespace

NewFile::NewFile(const std::string& target) : target_(target), path_(name_beside(target)) {
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    file_ = Descriptor(::open(path_.c_str(), flags, 0644));
    if (!file_.is_open()) fail(target_, "create");
}

NewFile::~NewFile() {
    if (!placed_) ::unlink(path_.c_str());
}

void NewFile::take_the_place() {
    if (!file_.close()) fail(target_, "close");
    if (std::rename(path_.c_str(), target_.c_str()) != 0) fail(target_, "put in its place");
    placed_ = true;
}

}  // namespace rrfp
