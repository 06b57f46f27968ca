#include "adapters/command/common/places.h"

#include <cstddef>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <sys/stat.h>

#include "adapters/files/output_file.h"
#include "runtime/core/shown_text.h"

namespace rrfp {
namespace {

/// Device and number of what is there, else its folder and name. Empty for what is no file: a pipe
/// or /dev/null may be named twice.
std::string identity_of_place(const std::string& path) {
    const std::string target = target_of(path);
    struct stat status {};
    if (::stat(target.c_str(), &status) == 0) {
        if (!S_ISREG(status.st_mode)) return "";
        return fmt::format("{}:{}", status.st_dev, status.st_ino);
    }
    std::error_code error;
    const auto absolute = std::filesystem::weakly_canonical(target, error);
    return error ? target : absolute.string();
}

}  // namespace

void Places::reads(const std::string& name, const std::string& path) {
    add(name, path, false, false);
}

void Places::writes(const std::string& name, const std::string& path) {
    add(name, path, true, true);
}

void Places::holds(const std::string& name, const std::string& path) {
    add(name, path, true, false);
}

void Places::add(const std::string& name, const std::string& path, bool written, bool checked) {
    if (path.empty()) return;
    places_.push_back({name, path, identity_of_place(path), written, checked});
}

std::vector<std::string> Places::faults() const {
    std::vector<std::string> faults;
    for (const Place& place : places_) {
        if (!place.checked) continue;
        if (const auto why = why_not_writable_file(place.path)) {
            faults.push_back(fmt::format("{} {}: {}", place.name, shown(place.path), *why));
        }
    }
    for (std::size_t second = 0; second < places_.size(); ++second) {
        for (std::size_t first = 0; first < second; ++first) {
            const Place& a = places_[first];
            const Place& b = places_[second];
            if (a.file.empty() || a.file != b.file || !(a.written || b.written)) continue;
            const bool second_is_output = b.checked;
            const Place& output = second_is_output ? b : a;
            const Place& other = second_is_output ? a : b;
            faults.push_back(fmt::format("{} {}: would be written over {}, {}; give another file",
                                         output.name, shown(output.path), other.name,
                                         shown(other.path)));
        }
    }
    return faults;
}

}  // namespace rrfp
