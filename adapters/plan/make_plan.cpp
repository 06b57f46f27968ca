#include "adapters/plan/make_plan.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "adapters/plan/limit_rule.h"
#include "adapters/plan/nearest.h"
#include "adapters/schedules/default_options.h"
#include "adapters/schedules/registry.h"
#include "runtime/core/plugin_loader.h"
#include "runtime/core/submission_window.h"
#include "runtime/core/version.h"

namespace rrfp {
namespace {

/// What only the check needs beside the facts.
struct Draft {
    const PlanRequest& request;
    PlanFacts facts;
    std::shared_ptr<const ArbiterPlugin> plugin{};
};

/// `step`, whose std::invalid_argument is a fault of `key`.
template <class Step>
auto blaming(const char* key, Step step) {
    try {
        return step();
    } catch (const std::invalid_argument& error) {
        throw PlanFault(key, error.what());
    }
}

std::vector<std::string> known_arbiters(const ArbiterPlugin* plugin) {
    std::vector<std::string> names = arbiter_names();
    if (plugin) {
        for (const ArbiterEntry& entry : plugin->arbiters()) names.emplace_back(entry.name);
    }
    return names;
}

std::vector<int> given_limits(const Draft& draft) {
    const PlanRequest& request = draft.request;
    if (!request.limit_given) return {};
    const Placement& placement = draft.facts.pipeline.placement;
    int chunks = 1;
    for (int rank = 0; rank < placement.ranks(); ++rank) {
        chunks = std::max(chunks, placement.chunks(rank));
    }
    const LimitScope scope{.ranks = placement.ranks(),
                           .kept_bytes = request.kept_bytes,
                           .most = std::int64_t{request.microbatches} * chunks};
    return blaming("limit", [&] { return limits_of(request.limit, scope); });
}

void load_plugin(Draft& draft) {
    const std::string& path = draft.request.plugin;
    if (path.empty()) return;
    blaming("plugin", [&] {
        // Read first: to load what is no regular file would wait for it.
        draft.facts.plugin = {.path = path, .file = identity_of_file(path)};
        draft.plugin = ArbiterPlugin::load(path);
    });
}

void check_names(const Draft& draft) {
    const PlanRequest& request = draft.request;
    const std::vector<std::string> arbiters = known_arbiters(draft.plugin.get());
    if (draft.plugin && request.arbiter.empty() && !request.own_arbiter) {
        std::vector<std::string> brought;
        for (const ArbiterEntry& entry : draft.plugin->arbiters()) brought.emplace_back(entry.name);
        throw PlanFault("arbiter", fmt::format("a plugin is given and none of its arbiters is "
                                               "named; set arbiter to {}",
                                               fmt::join(brought, " or ")));
    }
    if (!request.own_arbiter && !request.arbiter.empty() &&
        std::ranges::find(arbiters, request.arbiter) == arbiters.end()) {
        throw PlanFault("arbiter", "unknown arbiter; " + known_words(request.arbiter, arbiters));
    }
    const std::vector<std::string> schedules = schedule_names();
    if (!request.hint.empty() && !is_hint_file(request.hint) &&
        std::ranges::find(schedules, request.hint) == schedules.end()) {
        throw PlanFault("hint", "unknown schedule; " + known_words(request.hint, schedules));
    }
}

/// Forwards alone have no order to prefer: every arbiter and rule come to the same.
ScheduleOptions forward_schedule(const Draft& draft, std::vector<int> limits) {
    constexpr int usual = 32;
    const auto ranks = static_cast<std::size_t>(draft.facts.pipeline.placement.ranks());
    if (limits.empty()) limits.assign(ranks, usual);
    return {.arbiter = draft.request.arbiter.empty() ? "bf" : draft.request.arbiter,
            .limits = std::move(limits),
            .deterministic = draft.request.deterministic};
}

void resolve_schedule(Draft& draft) {
    const PlanRequest& request = draft.request;
    const Pipeline& pipeline = draft.facts.pipeline;
    const auto rule = blaming("admission", [&] { return admission_of(request.admission); });
    std::vector<int> limits = given_limits(draft);
    load_plugin(draft);
    check_names(draft);
    if (pipeline.forward_only) {
        draft.facts.schedule = forward_schedule(draft, std::move(limits));
        return;
    }
    const auto* word = std::get_if<std::string>(&request.placement);
    const std::string placement = word != nullptr ? *word : "";
    draft.facts.hint = request.hint.empty() ? default_hint(pipeline, placement) : request.hint;
    draft.facts.schedule = blaming("hint", [&] {
        return resolve_options(pipeline, {.arbiter = request.arbiter,
                                          .hint = draft.facts.hint,
                                          .placement = placement,
                                          .limits = std::move(limits),
                                          .admission = rule,
                                          .deterministic = request.deterministic,
                                          .plugin = nullptr});
    });
}

void check_schedule(const Draft& draft) {
    ScheduleOptions schedule = draft.facts.schedule;
    schedule.plugin = draft.plugin;
    if (draft.request.own_arbiter) schedule.arbiter = "bf";  // it asks for nothing more either
    blaming(draft.request.limit_given ? "limit" : "arbiter",
            [&] { validate(draft.facts.pipeline, schedule); });
}

/// The rule is `elect`'s; every group has members as many as the first.
void resolve_agreement(Draft& draft) {
    const PlanRequest& request = draft.request;
    PlannedAgreement& agreement = draft.facts.agreement;
    ScheduleOptions schedule;
    schedule.arbiter = draft.facts.schedule.arbiter;
    schedule.plugin = draft.plugin;
    agreement.protocol = request.agreement;
    agreement.scope = request.agreement_scope;
    agreement.local_choice = request.own_arbiter || arbiter_entry(schedule).local;
    const AgreementOptions first = agreement_of(draft.facts, 0);
    if (first.members.size() == 1) return;
    try {
        elect(first, /*share_memory=*/true);
    } catch (const std::invalid_argument&) {
        throw PlanFault(
            "arbiter",
            "chooses by what a rank alone knows, and under schedule.agreement = \"allgather\" "
            "every rank chooses; use \"board\", or another arbiter");
    }
}

}  // namespace

Plan make_plan(const PlanRequest& request) {
    const Pipeline pipeline{
        .placement = placement_of(request.placement, request.pipeline_ranks, request.chunks),
        .microbatches = request.microbatches,
        .split_weight = request.split_weight,
        .forward_only = request.forward_only};
    const Layout layout(request.pipeline_ranks, request.data_ranks, request.tensor_ranks);
    Draft draft{.request = request, .facts = PlanFacts(pipeline, layout)};
    draft.facts.text = request.text;
    draft.facts.jitter = request.jitter;
    draft.facts.seed = request.seed;
    draft.facts.version = version;
    resolve_schedule(draft);
    check_schedule(draft);
    resolve_agreement(draft);
    draft.facts.window = submission_window(draft.facts.pipeline, draft.facts.schedule);
    return Plan(std::move(draft.facts));
}

std::vector<std::string> known_arbiters(const std::string& plugin) {
    if (plugin.empty()) return known_arbiters(nullptr);
    identity_of_file(plugin);  // as in load_plugin
    return known_arbiters(ArbiterPlugin::load(plugin).get());
}

}  // namespace rrfp
