#include "adapters/plan/make_plan.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "adapters/plan/limit_rule.h"
#include "adapters/plan/nearest.h"
#include "adapters/schedules/registry.h"
#include "runtime/core/arbiters/default_arbiter.h"
#include "runtime/core/hint_check.h"
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

void resolve_limits(Draft& draft) {
    const PlanRequest& request = draft.request;
    const Placement& placement = draft.facts.pipeline.placement;
    int chunks = 1;
    for (int rank = 0; rank < placement.ranks(); ++rank) {
        chunks = std::max(chunks, placement.chunks(rank));
    }
    const LimitScope scope{.ranks = placement.ranks(),
                           .kept_bytes = request.kept_bytes,
                           .most = std::int64_t{request.microbatches} * chunks};
    draft.facts.schedule.limits = blaming("limit", [&] { return limits_of(request.limit, scope); });
}

void resolve_arbiter(Draft& draft) {
    const PlanRequest& request = draft.request;
    if (!request.plugin.empty()) {
        blaming("plugin", [&] {
            draft.plugin = ArbiterPlugin::load(request.plugin);
            draft.facts.plugin = {.path = request.plugin, .file = identity_of_file(request.plugin)};
        });
    }
    std::string& arbiter = draft.facts.schedule.arbiter;
    arbiter = request.arbiter.empty() ? default_arbiter(draft.facts.pipeline) : request.arbiter;
    if (request.own_arbiter) return;
    const std::vector<std::string> known = known_arbiters(draft.plugin.get());
    if (std::ranges::find(known, arbiter) == known.end()) {
        throw PlanFault("arbiter", "unknown arbiter; " + known_words(arbiter, known));
    }
}

void resolve_hint(Draft& draft) {
    const PlanRequest& request = draft.request;
    const Pipeline& pipeline = draft.facts.pipeline;
    if (pipeline.forward_only) return;  // forwards alone have no order to prefer
    const auto* word = std::get_if<std::string>(&request.placement);
    const auto known = schedule_names();
    draft.facts.hint =
        request.hint.empty() ? default_hint(pipeline, word ? *word : "") : request.hint;
    if (!request.hint.empty() && !is_hint_file(request.hint) &&
        std::ranges::find(known, request.hint) == known.end()) {
        throw PlanFault("hint", "unknown schedule; " + known_words(request.hint, known));
    }
    draft.facts.schedule.hint =
        blaming("hint", [&] { return hint_of(draft.facts.hint, pipeline); });
    if (draft.facts.schedule.arbiter == "fixed" && !request.limit_given) {
        draft.facts.schedule.limits = hint_levels(pipeline, draft.facts.schedule.hint);
    }
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
    draft.facts.schedule.deterministic = request.deterministic;
    draft.facts.text = request.text;
    draft.facts.jitter = request.jitter;
    draft.facts.seed = request.seed;
    draft.facts.version = version;
    draft.facts.schedule.admission =
        blaming("admission", [&] { return admission_of(request.admission); });
    resolve_limits(draft);
    resolve_arbiter(draft);
    resolve_hint(draft);
    check_schedule(draft);
    resolve_agreement(draft);
    draft.facts.window = submission_window(draft.facts.pipeline, draft.facts.schedule);
    return Plan(std::move(draft.facts));
}

std::vector<std::string> known_arbiters(const std::string& plugin) {
    const auto loaded = plugin.empty() ? nullptr : ArbiterPlugin::load(plugin);
    return known_arbiters(loaded.get());
}

}  // namespace rrfp
