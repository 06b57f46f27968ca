#include "adapters/jobs/launch/error_output.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <unistd.h>

namespace rrfp {

void ErrorOutput::write(std::string_view text) {
    kept_ += text;
    flush();
}

void ErrorOutput::flush() {
    std::size_t done = 0;
    pollfd file{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
    while (done < kept_.size() && poll(&file, 1, 0) > 0) {
        if ((file.revents & POLLOUT) == 0) {
            done = kept_.size();  // closed
            break;
        }
        // So much is taken whole by a pipe that takes anything.
        const std::size_t part = std::min<std::size_t>(kept_.size() - done, PIPE_BUF);
        const ssize_t written = ::write(STDERR_FILENO, kept_.data() + done, part);
        if (written > 0) {
            done += static_cast<std::size_t>(written);
        } else if (errno != EINTR) {
            done = kept_.size();
        }
    }
    kept_.erase(0, done);
}

}  // namespace rrfp
