#include "adapters/plan/plan_text.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "adapters/files/bounded_json.h"
#include "adapters/plan/action_list.h"
#include "adapters/plan/words.h"

namespace rrfp {
namespace {

using Json = nlohmann::json;

Json to_json(const FileIdentity& file) { return {{"bytes", file.bytes}, {"sha256", file.sha256}}; }

FileIdentity read_file(const Json& json) {
    return {.bytes = json.at("bytes").get<std::int64_t>(),
            .sha256 = json.at("sha256").get<std::string>()};
}

Json to_json(const Pipeline& pipeline) {
    Json ranks = Json::array();
    for (int stage = 0; stage < pipeline.placement.stages(); ++stage) {
        ranks.push_back(pipeline.placement.rank_of(stage));
    }
    return {{"rank_of_stage", std::move(ranks)},
            {"microbatches", pipeline.microbatches},
            {"split_weight", pipeline.split_weight},
            {"forward_only", pipeline.forward_only}};
}

Pipeline read_pipeline(const Json& json) {
    return {.placement = Placement(json.at("rank_of_stage").get<std::vector<int>>()),
            .microbatches = json.at("microbatches").get<int>(),
            .split_weight = json.at("split_weight").get<bool>(),
            .forward_only = json.at("forward_only").get<bool>()};
}

Json to_json(const Layout& layout) {
    return {{"pipeline", layout.pipeline_ranks()},
            {"data", layout.data_ranks()},
            {"tensor", layout.tensor_ranks()}};
}

Json to_json(const Jitter& jitter) {
    return {{"compute_cv", jitter.compute_cv},
            {"microbatch_cv", jitter.microbatch_cv},
            {"comm_mean_ms", jitter.comm_mean_ms},
            {"comm_cv", jitter.comm_cv ? Json(*jitter.comm_cv) : Json()},
            {"seed", jitter.seed}};
}

Jitter read_jitter(const Json& json) {
    const Json& cv = json.at("comm_cv");
    return {.compute_cv = json.at("compute_cv").get<double>(),
            .microbatch_cv = json.at("microbatch_cv").get<double>(),
            .comm_mean_ms = json.at("comm_mean_ms").get<double>(),
            .comm_cv = cv.is_null() ? std::nullopt : std::optional(cv.get<double>()),
            .seed = json.at("seed").get<std::uint64_t>()};
}

Json schedule_json(const PlanFacts& facts) {
    Json order = Json::array();
    for (const auto& list : facts.schedule.hint) order.push_back(action_list(list));
    return {{"arbiter", facts.schedule.arbiter},
            {"hint", facts.hint},
            {"order", std::move(order)},
            {"limits", facts.schedule.limits},
            {"admission", name(facts.schedule.admission)},
            {"deterministic", facts.schedule.deterministic},
            {"window", facts.window},
            {"plugin", facts.plugin ? Json{{"path", facts.plugin->path},
                                           {"file", to_json(facts.plugin->file)}}
                                    : Json()}};
}

/// A plan names the rule that was chosen.
AdmissionRule rule_of(const std::string& word) {
    if (const auto rule = find_admission_rule(word)) return *rule;
    throw std::invalid_argument(fmt::format("'{}' is no rule of admission", word));
}

ScheduleOptions read_schedule(const Json& json, int pipeline_rank) {
    ScheduleOptions schedule{.arbiter = json.at("arbiter").get<std::string>(),
                             .limits = json.at("limits").get<std::vector<int>>(),
                             .deterministic = json.at("deterministic").get<bool>(),
                             .admission = rule_of(json.at("admission").get<std::string>())};
    const Json& order = json.at("order");
    if (!order.empty()) {
        schedule.hint.resize(order.size());
        schedule.hint.at(pipeline_rank) =
            read_action_list(order.at(pipeline_rank).get_ref<const std::string&>());
    }
    return schedule;
}

PlanFacts read_facts(const Json& json, int world_rank) {
    const Json& sizes = json.at("layout");
    const Layout layout(sizes.at("pipeline").get<int>(), sizes.at("data").get<int>(),
                        sizes.at("tensor").get<int>());
    const Json& schedule = json.at("schedule");
    const Json& agreement = json.at("agreement");
    PlanFacts facts(read_pipeline(json.at("pipeline")), layout);
    facts.schedule = read_schedule(schedule, layout.place(world_rank).pipeline);
    facts.hint = schedule.at("hint").get<std::string>();
    facts.agreement.protocol = agreement.at("protocol").get<std::string>();
    facts.agreement.scope = agreement.at("scope").get<std::string>();
    facts.agreement.local_choice = agreement.at("local_choice").get<bool>();
    facts.window = schedule.at("window").get<int>();
    facts.jitter = read_jitter(json.at("jitter"));
    facts.seed = json.at("seed").get<std::uint64_t>();
    facts.version = json.at("version").get<std::string>();
    if (const Json& plugin = schedule.at("plugin"); !plugin.is_null()) {
        facts.plugin = {.path = plugin.at("path").get<std::string>(),
                        .file = read_file(plugin.at("file"))};
    }
    if (const Json& text = json.at("text"); !text.is_null()) facts.text = read_file(text);
    return facts;
}

}  // namespace

std::string plan_text(const PlanFacts& facts) {
    const Json json = {{"version", facts.version},
                       {"pipeline", to_json(facts.pipeline)},
                       {"layout", to_json(facts.layout)},
                       {"schedule", schedule_json(facts)},
                       {"agreement",
                        {{"protocol", facts.agreement.protocol},
                         {"scope", facts.agreement.scope},
                         {"local_choice", facts.agreement.local_choice}}},
                       {"text", facts.text ? to_json(*facts.text) : Json()},
                       {"jitter", to_json(facts.jitter)},
                       {"seed", facts.seed}};
    return json_text(json, -1);
}

PlanFacts read_plan_text(const std::string& text, int world_rank) try {
    return read_facts(parse_json(text), world_rank);
} catch (const std::exception& error) {
    throw std::invalid_argument(
        fmt::format("what the launcher handed over is no plan: {}", error.what()));
}

}  // namespace rrfp
