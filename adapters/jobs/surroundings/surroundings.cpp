#include "adapters/jobs/surroundings/surroundings.h"

#include <stdexcept>

#include <fmt/format.h>

#include "adapters/jobs/launch/launch_end.h"
#include "adapters/jobs/surroundings/crowding.h"
#include "adapters/jobs/surroundings/limits.h"
#include "adapters/jobs/surroundings/mpi_variables.h"
#include "adapters/jobs/surroundings/one_node.h"
#include "adapters/jobs/surroundings/place.h"
#include "runtime/starpu/session/starpu_environment.h"
#include "runtime/system/process_memory.h"
#include "runtime/system/usable_cores.h"

namespace rrfp {
namespace {

constexpr const char* single_copy_name = "Single-copy transfers (CMA)";

Fact single_copy(const std::optional<std::string>& why_not) {
    if (!why_not) return {single_copy_name, "available"};
    return {single_copy_name,
            fmt::format("not available ({}), so large messages are copied twice", *why_not),
            Health::warn,
            "set /proc/sys/kernel/yama/ptrace_scope to 0, or give the container CAP_SYS_PTRACE"};
}

Fact examine_starpu_variables() {
    const std::vector<std::string> ignored = ignored_starpu_variables();
    if (ignored.empty()) return {"STARPU_* variables", "none that is ignored"};
    return {
        "STARPU_* variables",
        fmt::format("{} {} ignored", fmt::join(ignored, ", "), ignored.size() == 1 ? "is" : "are"),
        Health::warn, "unset them: a rank needs one worker, and sets what StarPU must know"};
}

std::string line_of(const Fact& fact) {
    return fmt::format("{}: {}; {}", fact.name, fact.value, fact.remedy);
}

std::string joined(const std::vector<std::string>& lines) {
    return fmt::format("{}", fmt::join(lines, "\n"));
}

/// What a run needs to know besides the facts that come of it.
struct Findings {
    Place place;
    std::optional<std::string> why_no_reading;
    double cores;
};

Findings look_around(const Demand& demand) {
    return {choose_place(demand, run_places()), why_no_reading_of_processes(), usable_cores()};
}

std::vector<Fact> facts_of(const Findings& found, const Demand& demand) {
    std::vector<Fact> facts = {found.place.fact, single_copy(found.why_no_reading),
                               examine_transports(), examine_starpu_variables()};
    for (auto& more : {examine_limits(demand), examine_crowding(demand, found.cores)}) {
        facts.insert(facts.end(), more.begin(), more.end());
    }
    return facts;
}

}  // namespace

std::vector<Fact> examine_surroundings(const Demand& demand) {
    return facts_of(look_around(demand), demand);
}

Surroundings::Surroundings(const Demand& demand) {
    for (const std::string& parent : run_places()) remove_dead_own_folders(parent);
    std::vector<std::string> faults;
    const Findings found = look_around(demand);
    for (const Fact& fact : facts_of(found, demand)) {
        if (fact.health == Health::warn) notices_.push_back(line_of(fact));
        if (fact.health == Health::fail) faults.push_back(line_of(fact));
    }
    if (!faults.empty()) throw std::runtime_error(joined(faults));
    folder_.emplace(std::vector{found.place.parent.value()});
    set_mpi_variables(variables_, folder_->path(), !found.why_no_reading, ranks_stay_here());
    variables_.set(own_settings_variable, fmt::format("{}", fmt::join(variables_.names(), " ")));
    variables_.set(run_folder_variable, folder_->path());
    const bool tuned = variable("GOMP_SPINCOUNT") || variable("KMP_BLOCKTIME");
    if (crowds_threads(demand, found.cores) && !tuned) {
        variables_.set_default("OMP_WAIT_POLICY", "passive");
    }
}

std::vector<std::string> notices_of_rank() {
    std::vector<Fact> facts = {examine_starpu_variables()};
    // MpiStart finds the same, and does without.
    if (!may_read_parent()) facts.push_back(single_copy("Operation not permitted"));
    std::vector<std::string> notices;
    for (const Fact& fact : facts) {
        if (fact.health == Health::warn) notices.push_back(line_of(fact));
    }
    return notices;
}

}  // namespace rrfp
