#include "adapters/jobs/surroundings/place.h"

#include <cstdlib>

#include <fmt/format.h>

#include "adapters/jobs/surroundings/environment.h"
#include "runtime/system/free_space.h"
#include "runtime/system/own_folder.h"

namespace rrfp {
namespace {

constexpr std::uint64_t mib = 1024 * 1024;
constexpr std::uint64_t session_bytes = 10 * mib;  ///< of mpirun: 8.1 MiB with 8 ranks
constexpr std::uint64_t own_bytes = mib / 8;       ///< of a rank: its windows, StarPU's home

/// Open MPI's own default, or what the user has set; it says so by a plain number of bytes.
std::uint64_t segment_bytes() {
    constexpr std::uint64_t usual = 4 * mib;
    const auto set = variable("OMPI_MCA_btl_vader_segment_size");
    const std::uint64_t bytes = set ? std::strtoull(set->c_str(), nullptr, 10) : usual;
    return bytes > 0 ? bytes : usual;
}

std::uint64_t files_wanted(const Demand& demand) {
    constexpr std::uint64_t session_files = 64;
    constexpr std::uint64_t own_files = 32;
    return session_files + own_files * static_cast<std::uint64_t>(demand.ranks);
}

std::optional<std::string> why_not(const std::string& parent, const Demand& demand) {
    if (const auto why = why_not_writable(parent)) {
        return fmt::format("{} cannot be written: {}", parent, *why);
    }
    // A rank makes one more folder in that of the run.
    if (constexpr std::size_t longest = longest_parent - 20; parent.size() > longest) {
        return fmt::format("{} has {} letters, and paths may have {} here", parent, parent.size(),
                           longest);
    }
    const auto space = free_space(parent);
    if (!space) return fmt::format("{} does not say what is free", parent);
    if (const std::uint64_t wanted = bytes_wanted(demand); space->bytes < wanted) {
        return fmt::format("{} has {} free, and {} ranks want {}", parent, bytes_text(space->bytes),
                           demand.ranks, bytes_text(wanted));
    }
    if (const std::uint64_t wanted = files_wanted(demand); space->files < wanted) {
        return fmt::format("{} takes {} more files, and {} ranks want {}", parent, space->files,
                           demand.ranks, wanted);
    }
    return std::nullopt;
}

constexpr const char* subject = "Shared memory";
constexpr const char* more =
    "make room in /dev/shm, or give the container more of it (docker --shm-size)";

}  // namespace

std::uint64_t bytes_wanted(const Demand& demand) {
    const auto ranks = static_cast<std::uint64_t>(demand.ranks);
    return session_bytes + ranks * (segment_bytes() + own_bytes);
}

Place choose_place(const Demand& demand, const std::vector<std::string>& parents) {
    std::string reasons;
    for (const std::string& parent : parents) {
        const auto why = why_not(parent, demand);
        if (why) {
            reasons += (reasons.empty() ? "" : "; ") + *why;
            continue;
        }
        if (reasons.empty()) {
            const std::uint64_t free = free_space(parent).value_or(FreeSpace{}).bytes;
            return {parent, {subject, fmt::format("{} free in {}", bytes_text(free), parent)}};
        }
        return {
            parent,
            {subject, fmt::format("{}: messages go through files in {} instead", reasons, parent),
             Health::warn, more}};
    }
    return {std::nullopt,
            {subject, reasons, Health::fail,
             fmt::format("{}, or set TMPDIR to a folder with a short path that can be "
                         "written and has {} free",
                         more, bytes_text(bytes_wanted(demand)))}};
}

}  // namespace rrfp
