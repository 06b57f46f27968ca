#include "adapters/files/output_file.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include "adapters/files/durable_file.h"
#include "adapters/files/new_file.h"
#include "runtime/core/shown_text.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

/// How long the reader of a pipe may keep us waiting.
constexpr int patience_ms = 10'000;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", shown(path), why));
}

bool is_stream(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
           !S_ISDIR(status.st_mode);
}

/// While it lives, a pipe whose reader has gone is an error of `write` and not the end of this
/// process.
class NoBrokenPipes {
  public:
    NoBrokenPipes() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
    ~NoBrokenPipes() { std::signal(SIGPIPE, before_); }
    NoBrokenPipes(const NoBrokenPipes&) = delete;
    NoBrokenPipes& operator=(const NoBrokenPipes&) = delete;

  private:
    void (*before_)(int);
};

/// A pipe takes what its reader makes room for; whoever waits for a reader that never comes waits
/// for ever.
void write_to_stream(const std::string& path, std::string_view content) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file.is_open()) {
        fail(path, errno == ENXIO ? "is a pipe that nobody reads" : std::strerror(errno));
    }
    const NoBrokenPipes errors_instead;
    while (!content.empty()) {
        const ssize_t written = ::write(file.number(), content.data(), content.size());
        if (written >= 0) {
            content.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            pollfd event{.fd = file.number(), .events = POLLOUT, .revents = 0};
            if (::poll(&event, 1, patience_ms) == 0) {
                fail(path,
                     fmt::format("its reader has taken nothing for {} s", patience_ms / 1000.0));
            }
        } else if (errno != EINTR) {
            fail(path, std::strerror(errno));
        }
    }
}

std::optional<std::string> why_not_creatable(const std::string& path) {
    struct stat status {};
    errno = 0;
    if (::lstat(path.c_str(), &status) == 0) {
        if (S_ISLNK(status.st_mode)) errno = ELOOP;  // target_of has found no end
    } else if (errno == ENOENT) {
        errno = 0;
    }
    if (errno != 0) {
        return fmt::format("cannot be written: {}; give another place", std::strerror(errno));
    }
    try {
        const NewFile probe(path);
        return std::nullopt;
    } catch (const std::system_error& error) {
        return fmt::format("cannot be written: {}; give a place in a writable folder",
                           error.code().message());
    }
}

}  // namespace

std::string target_of(const std::string& path) {
    constexpr int most_links = 40;
    fs::path target = path;
    std::error_code none;
    for (int links = 0; links < most_links && fs::is_symlink(target, none); ++links) {
        target = target.parent_path() / fs::read_symlink(target, none);
    }
    return target.string();
}

void write_output(const std::string& path, const std::string& content) {
    is_stream(path) ? write_to_stream(path, content) : write_durably(target_of(path), content);
}

std::optional<std::string> why_not_writable_file(const std::string& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return "is a folder; give the name of a file";
    if (!is_stream(path)) return why_not_creatable(target_of(path));
    if (access(path.c_str(), W_OK) == 0) return std::nullopt;
    return fmt::format("cannot be written: {}; give another file", std::strerror(errno));
}

std::optional<std::string> why_not_writable_folder(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) {
        return fmt::format("the folder cannot be made: {}; give a writable one", error.message());
    }
    return why_not_creatable((fs::path(path) / "file").string());
}

}  // namespace rrfp
