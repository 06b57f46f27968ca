#include "adapters/command/show/plan_text.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/plan/action_list.h"

namespace rrfp {
namespace {

std::string shape_line(const PlanFacts& plan) {
    const Pipeline& pipeline = plan.pipeline;
    return fmt::format(
        "{} stages on {} pipeline ranks x {} replicas x {} tensor ranks, {} "
        "microbatches{}",
        pipeline.placement.stages(), plan.layout.pipeline_ranks(), plan.layout.data_ranks(),
        plan.layout.tensor_ranks(), pipeline.microbatches,
        pipeline.split_weight ? ", split backward" : "");
}

std::string agreement_line(const PlanFacts& plan) {
    const auto members = agreement_of(plan, 0).members.size();
    if (members == 1) return "none: each rank decides alone";
    return fmt::format("{} among {} ranks ({})", plan.agreement.protocol, members,
                       plan.agreement.scope);
}

/// As many of a rank's tasks as a line has room for.
std::string first_tasks(const std::vector<Task>& tasks) {
    constexpr std::ptrdiff_t most = 8;
    const auto count = std::min(most, std::ssize(tasks));
    const std::string list = action_list({tasks.begin(), tasks.begin() + count});
    return count < std::ssize(tasks) ? list + " ..." : list;
}

}  // namespace

std::string describe(const Plan& plan) {
    const PlanFacts& facts = *plan;
    const ScheduleOptions& schedule = facts.schedule;
    std::string text;
    const auto line = [&](const char* name, const std::string& value) {
        fmt::format_to(std::back_inserter(text), "{:<14}{}\n", name, value);
    };
    line("plan", plan.hash());
    line("rrfp", facts.version);
    line("pipeline", shape_line(facts));
    line("arbiter", schedule.arbiter);
    line("hint", facts.hint);
    line("admission", name(schedule.admission));
    line("deterministic", schedule.deterministic ? "yes" : "no");
    line("agreement", agreement_line(facts));
    line("window", fmt::format("{} microbatches", facts.window));
    line("seeds", fmt::format("{}, of jitter {}", facts.seed, facts.jitter.seed));
    if (facts.plugin) {
        line("plugin", fmt::format("{} ({})", facts.plugin->path, to_text(facts.plugin->file)));
    }
    if (facts.text) line("text", to_text(*facts.text));

    text += fmt::format("\n{:>4}  {:>5}  {:<12}  {}\n", "rank", "limit", "stages", "hint");
    for (int rank = 0; rank < facts.pipeline.placement.ranks(); ++rank) {
        fmt::format_to(std::back_inserter(text), "{:>4}  {:>5}  {:<12}  {}\n", rank,
                       schedule.limits[rank],
                       fmt::format("{}", fmt::join(facts.pipeline.placement.stages_of(rank), ",")),
                       first_tasks(schedule.hint[rank]));
    }
    return text;
}

}  // namespace rrfp
