#include "adapters/jobs/surroundings/limits.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>

#include "runtime/system/free_space.h"
#include "runtime/system/thread_room.h"

namespace rrfp {
namespace {

struct Resource {
    const char* name;
    decltype(RLIMIT_NOFILE) number;
    const char* flag;  ///< of ulimit
    std::uint64_t wanted;
    bool in_kib;  ///< how ulimit counts it
    Health too_low = Health::fail;
};

/// As seen: 4 of mpirun; of a rank 6, one more each for delays and for agreement, and with libtorch
/// the helpers of the two threads that compute.
std::uint64_t threads_wanted(const Demand& demand) {
    constexpr std::uint64_t of_mpirun = 4;
    const auto helpers = static_cast<std::uint64_t>(demand.threads - 1);
    return of_mpirun + static_cast<std::uint64_t>(demand.ranks) * (8 + 2 * helpers);
}

std::vector<Resource> resources(const Demand& demand) {
    constexpr std::uint64_t mib = 1024 * 1024;
    const auto ranks = static_cast<std::uint64_t>(demand.ranks);
    return {
        {"Open files", RLIMIT_NOFILE, "-n", 32 + 8 * ranks, false},
        {"Address space", RLIMIT_AS, "-v", (demand.torch ? 2560 : 1792) * mib, true, Health::warn},
        {"Stack", RLIMIT_STACK, "-s", mib, true},
        {"File size", RLIMIT_FSIZE, "-f", 8 * mib, true}};
}

std::string amount(const Resource& resource, std::uint64_t value) {
    return resource.in_kib ? bytes_text(value) : std::to_string(value);
}

Fact examine(const Resource& resource) {
    rlimit limit{};
    if (getrlimit(resource.number, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return {resource.name, "no limit"};
    }
    if (limit.rlim_cur < resource.wanted && limit.rlim_max >= resource.wanted) {
        limit.rlim_cur = resource.wanted;
        setrlimit(resource.number, &limit);  // where this fails, the next lines say so
        getrlimit(resource.number, &limit);
    }
    const std::string value = fmt::format("limited to {}", amount(resource, limit.rlim_cur));
    if (limit.rlim_cur >= resource.wanted) return {resource.name, value};
    return {resource.name,
            fmt::format("{}, and the job wants {}", value, amount(resource, resource.wanted)),
            resource.too_low,
            fmt::format("raise it: ulimit {} {}", resource.flag,
                        resource.in_kib ? resource.wanted / 1024 : resource.wanted)};
}

Fact examine_threads(const Demand& demand) {
    constexpr const char* name = "Threads";
    const std::uint64_t wanted = threads_wanted(demand);
    const auto room = thread_room();
    if (!room) return {name, "no limit"};
    const std::string value = fmt::format("{} more may start ({})", room->left, room->limit);
    if (room->left >= wanted) return {name, value};
    return {name, fmt::format("{}, and {} ranks want {}", value, demand.ranks, wanted),
            Health::fail,
            "raise that limit (docker --pids-limit), end other processes, or run fewer ranks"};
}

}  // namespace

std::vector<Fact> examine_limits(const Demand& demand) {
    std::vector<Fact> facts = {examine_threads(demand)};
    for (const Resource& resource : resources(demand)) facts.push_back(examine(resource));
    return facts;
}

}  // namespace rrfp
