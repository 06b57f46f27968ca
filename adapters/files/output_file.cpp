#include "adapters/files/output_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>

#include "adapters/files/durable_file.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

/// The file that `path` stands for, links followed.
std::string target_of(const std::string& path) {
    std::error_code error;
    const fs::path target = fs::weakly_canonical(path, error);
    return error ? path : target.string();
}

bool is_stream(const std::string& path) {
    std::error_code error;
    const auto status = fs::status(path, error);
    return !error && fs::exists(status) && !fs::is_regular_file(status);
}

std::optional<std::string> why_not_creatable(const std::string& neighbour) {
    const std::string probe = fmt::format("{}.{}.probe", neighbour, getpid());
    const int file = open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) {
        return fmt::format("cannot be written: {}; give a place in a writable folder",
                           std::strerror(errno));
    }
    close(file);
    unlink(probe.c_str());
    return std::nullopt;
}

}  // namespace

void write_output(const std::string& path, const std::string& content) {
    if (!is_stream(path)) return write_durably(target_of(path), content);
    std::ofstream stream(path);
    stream << content << std::flush;
    if (!stream) {
        throw std::runtime_error(fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
    }
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
