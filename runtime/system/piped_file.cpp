#include "runtime/system/piped_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>

namespace rrfp {
namespace {

class PipeReader {
  public:
    PipeReader(const std::string& path, const FileKind& kind, int patience_ms)
        : path_(path),
          kind_(kind),
          patience_ms_(patience_ms),
          file_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
        if (!file_.is_open()) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
    }

    std::string content() {
        std::array<char, 1 << 16> part{};
        std::string text;
        for (;;) {
            const ssize_t got = ::read(file_.number(), part.data(), part.size());
            if (got > 0) {
                text.append(part.data(), static_cast<std::size_t>(got));
                if (text.size() > kind_.most_bytes) refuse_size();
            } else if (got == 0 && (!text.empty() || waited_)) {
                return text;  // its writers have gone
            } else if (got == 0 || errno == EAGAIN) {
                wait();  // for the first writer, or for the next bytes
            } else if (errno != EINTR) {
                refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
            }
        }
    }

  private:
    void wait() {
        pollfd event{.fd = file_.number(), .events = POLLIN, .revents = 0};
        const int ready = ::poll(&event, 1, patience_ms_);
        if (ready < 0 && errno != EINTR) {
            refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
        }
        if (ready == 0) {
            refuse(fmt::format("is a pipe through which nothing has come for {} s",
                               patience_ms_ / 1000.0));
        }
        waited_ = true;
    }

    [[noreturn]] void refuse_size() const {
        refuse(fmt::format("gives more than the {} bytes that such a file may have",
                           kind_.most_bytes));
    }

    [[noreturn]] void refuse(const std::string& why) const {
        throw FileFault(fmt::format("{}: {}; {}", path_, why, kind_.remedy));
    }

    std::string path_;
    FileKind kind_;
    int patience_ms_;
    Descriptor file_;
    bool waited_ = false;  // a writer has been there
};

}  // namespace

PipedText read_file_or_pipe(const std::string& path, const FileKind& kind, int patience_ms) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) {
        return {.text = PipeReader(path, kind, patience_ms).content(), .from_pipe = true};
    }
    return {.text = read_file(path, kind)};
}

}  // namespace rrfp
