#include "adapters/jobs/surroundings/crowding.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace rrfp {
namespace {

/// Ranks whose tasks sleep, or wait for each other, share a core well up to about here.
constexpr double ranks_a_core = 8;

Fact crowded(std::string value, std::string remedy) {
    return {.name = "Cores",
            .value = std::move(value),
            .health = Health::warn,
            .remedy = std::move(remedy)};
}

}  // namespace

bool crowds_threads(const Demand& demand, double cores) {
    return demand.threads > 1 && demand.ranks * demand.threads > cores;
}

std::vector<Fact> examine_crowding(const Demand& demand, double cores) {
    std::vector<Fact> facts;
    const int computing = demand.ranks * demand.threads;
    if (demand.spinning && demand.ranks > cores) {
        facts.push_back(crowded(
            fmt::format("schedule.waiting = \"spin\" keeps {} threads polling on {:g} cores, and "
                        "the job may take many times as long",
                        demand.ranks, cores),
            "set schedule.waiting = \"auto\", whose idle threads sleep"));
    }
    if (crowds_threads(demand, cores)) {
        facts.push_back(crowded(
            fmt::format("parallel.threads = {} on {} ranks makes {} threads for {:g} cores, which "
                        "may be slower than fewer threads a rank",
                        demand.threads, demand.ranks, computing, cores),
            fmt::format("set parallel.threads = {}",
                        std::max(1, static_cast<int>(cores) / demand.ranks))));
    }
    if (demand.busy && demand.ranks > cores) {
        facts.push_back(crowded(
            fmt::format("model.sleep = false keeps a core busy for each of {} ranks, and there are "
                        "{:g}: tasks take longer than the job says",
                        demand.ranks, cores),
            "leave model.sleep out, or run fewer ranks"));
    }
    if (demand.ranks > ranks_a_core * cores) {
        facts.push_back(crowded(
            fmt::format("{} ranks share {:g} cores: starting takes long, and times say little",
                        demand.ranks, cores),
            "run fewer ranks, or rrfp simulate, which needs one core"));
    }
    return facts;
}

}  // namespace rrfp
