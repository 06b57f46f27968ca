#include "adapters/plan/plan.h"

#include <stdexcept>
#include <utility>

#include "adapters/files/sha256.h"
#include "adapters/plan/plan_text.h"
#include "runtime/core/plugin_loader.h"
#include "runtime/core/version.h"

namespace rrfp {

Plan::Plan(State state) : state_(std::make_shared<const State>(std::move(state))) {}

Plan::Plan(PlanFacts facts)
    : Plan([&] {
          std::string text = plan_text(facts);
          std::string hash = sha256_hex(text.data(), text.size());
          return State{std::move(facts), std::move(text), std::move(hash)};
      }()) {}

Plan Plan::read(std::string text, int world_rank) {
    PlanFacts facts = read_plan_text(text, world_rank);
    std::string hash = sha256_hex(text.data(), text.size());
    return Plan(State{std::move(facts), std::move(text), std::move(hash)});
}

ScheduleOptions loaded_schedule(const Plan& plan) {
    ScheduleOptions schedule = plan->schedule;
    if (plan->plugin) schedule.plugin = ArbiterPlugin::load(plan->plugin->path);
    return schedule;
}

std::vector<std::pair<std::string, std::string>> shared_facts(const Plan& plan) {
    std::vector<std::pair<std::string, std::string>> facts = {
        {"plan", plan.hash()}, {"version of rrfp", std::string(version)}};
    if (plan->plugin) {
        const std::string& path = plan->plugin->path;
        std::string held = "that cannot be read";
        try {
            held = identity_of_file(path).sha256;
        } catch (const std::invalid_argument&) {
            // Said as the value, so that every rank hears of it.
        }
        facts.emplace_back("plugin " + path, std::move(held));
    }
    return facts;
}

AgreementOptions agreement_of(const PlanFacts& facts, int world_rank) {
    const PlannedAgreement& agreed = facts.agreement;
    AgreementOptions options{.members = agreed.scope == "stage"
                                            ? facts.layout.stage_group(world_rank)
                                            : facts.layout.tensor_group(world_rank),
                             .local_choice = agreed.local_choice};
    if (agreed.protocol == "allgather") options.protocol = AgreementProtocol::allgather;
    return options;
}

}  // namespace rrfp
