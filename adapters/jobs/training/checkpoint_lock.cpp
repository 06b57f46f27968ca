#include "adapters/jobs/training/checkpoint_lock.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/file.h>

#include "runtime/system/host_name.h"

namespace rrfp {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

std::string own_name() { return fmt::format("pid {} on {}\n", getpid(), host_name()); }

/// What the file says of the job that holds it.
std::string holder(int file) {
    std::array<char, 300> text{};
    const ssize_t read = pread(file, text.data(), text.size(), 0);
    std::string_view line(text.data(), read > 0 ? static_cast<std::size_t>(read) : 0);
    line = line.substr(0, line.find('\n'));
    return line.starts_with("pid ") ? std::string(line) : "its pid is not known";
}

/// Whether nobody holds the lock now; errno says why not.
bool try_lock(int file) {
    int result = 0;
    do {
        result = flock(file, LOCK_EX | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

bool lock_within(int file, double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (!try_lock(file)) {
        if (errno != EWOULDBLOCK || Clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return true;
}

}  // namespace

CheckpointLock::CheckpointLock(const std::string& folder, double seconds) {
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    const std::string path = std::filesystem::path(folder) / "checkpoint.lock";
    constexpr int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    file_ = Descriptor(open(path.c_str(), flags, 0644));
    const int file = file_.number();
    if (!file_.is_open()) {
        throw std::runtime_error(
            fmt::format("{}: cannot be opened: {}; give a writable folder", path, reason(errno)));
    }
    if (lock_within(file, seconds)) {
        const std::string name = own_name();
        // For messages alone: the lock holds whether or not its file can say whose it is.
        if (ftruncate(file, 0) != 0 || pwrite(file, name.data(), name.size(), 0) < 0) return;
    } else if (errno == EWOULDBLOCK) {
        throw std::runtime_error(
            fmt::format("{}: another job keeps its checkpoints here ({}); wait for its end, or "
                        "choose another output.checkpoint",
                        folder, holder(file)));
    } else {
        notice_ = fmt::format(
            "{}: cannot be locked: {}; see to it that no other job keeps its "
            "checkpoints there",
            folder, reason(errno));
    }
}

}  // namespace rrfp
