#include "runtime/system/usable_cores.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "runtime/system/control_group.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

constexpr double fewest = 0.1;

/// Version 2: "200000 100000", or "max 100000".
std::optional<double> quota(const fs::path& file) {
    double most_us = 0;
    double period_us = 0;
    std::ifstream stream(file);
    if (!(stream >> most_us >> period_us) || period_us <= 0) return std::nullopt;
    return most_us / period_us;
}

/// Version 1: a file each, and -1 for none.
std::optional<double> quota(const fs::path& most, const fs::path& period) {
    double most_us = 0;
    double period_us = 0;
    std::ifstream most_stream(most);
    std::ifstream period_stream(period);
    if (!(most_stream >> most_us) || !(period_stream >> period_us)) return std::nullopt;
    if (most_us <= 0 || period_us <= 0) return std::nullopt;
    return most_us / period_us;
}

}  // namespace

double usable_cores() {
    // glibc counts those that this process is bound to.
    double cores = std::max(1U, std::thread::hardware_concurrency());
    for (const fs::path& group : control_groups("cpu")) {
        for (const auto& found : {quota(group / "cpu.max"),
                                  quota(group / "cpu.cfs_quota_us", group / "cpu.cfs_period_us")}) {
            if (found) cores = std::min(cores, *found);
        }
    }
    return std::max(cores, fewest);
}

}  // namespace rrfp
