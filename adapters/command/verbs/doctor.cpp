#include "runtime/starpu/doctor/doctor.h"

#include <algorithm>

#include <fmt/format.h>

#include "adapters/command/show/console.h"
#include "adapters/command/verbs/subcommands.h"
#include "adapters/command/verbs/toolchain_facts.h"
#include "adapters/jobs/surroundings/leftovers.h"
#include "adapters/jobs/surroundings/surroundings.h"
#include "runtime/core/version.h"

namespace rrfp {
namespace {

const char* mark(Health health) {
    switch (health) {
        case Health::ok:
            return "ok";
        case Health::warn:
            return "warn";
        case Health::fail:
            return "FAIL";
    }
    return "FAIL";
}

/// A job as people try one, for what depends on its size.
constexpr Demand usual{.ranks = 8, .torch = true};

/// Fails when rrfp cannot run here; what is only worse than it could be is a warning.
int tell() {
    std::vector<Fact> facts = {{.name = "rrfp", .value = std::string(version)}};
    for (const auto& examined :
         {examine_runtime(), examine_surroundings(usual), examine_toolchain()}) {
        facts.insert(facts.end(), examined.begin(), examined.end());
    }
    facts.push_back(examine_leftovers());
    std::size_t width = 0;
    for (const Fact& fact : facts) width = std::max(width, fact.name.size());
    for (const Fact& fact : facts) {
        print(fmt::format("{:<4}  {:<{}}  {}\n", mark(fact.health), fact.name, width, fact.value));
        if (!fact.remedy.empty()) print(fmt::format("{:{}}-> {}\n", "", width + 8, fact.remedy));
    }
    const bool failed = std::any_of(facts.begin(), facts.end(),
                                    [](const Fact& fact) { return fact.health == Health::fail; });
    return failed ? 1 : 0;
}

}  // namespace

void add_doctor(CLI::App& app, Command& chosen, const TorchProgram& torch) {
    CLI::App* doctor =
        app.add_subcommand("doctor", "Say what this machine has, and what is missing");
    doctor->callback([&chosen, torch] {
        chosen = [torch] {
            try {
                torch.require();
            } catch (const std::runtime_error&) {
                // Then the facts say that libtorch is not loaded.
            }
            return tell();
        };
    });
}

}  // namespace rrfp
