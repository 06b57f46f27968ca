#include "runtime/starpu/iteration/stall_report.h"

#include <chrono>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "runtime/starpu/decision/policy.h"

namespace rrfp {
namespace {

constexpr int most_named = 16;

std::string ready_tasks(const RankState& state) {
    const Pipeline& pipeline = state.pipeline();
    std::string text;
    int named = 0;
    for (int kind = 0; kind < pipeline.kinds(); ++kind) {
        for (const int stage : pipeline.placement.stages_of(state.rank())) {
            for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
                const Task task{static_cast<TaskKind>(kind), stage, microbatch};
                if (!state.is_ready(task)) continue;
                if (++named > most_named) continue;
                text += fmt::format("{}{}", text.empty() ? "" : " ",
                                    to_action(task, pipeline.split_weight));
            }
        }
    }
    if (named > most_named) text += fmt::format(" and {} more", named - most_named);
    return text;
}

std::string describe(const AwaitedMessage& message, int from) {
    const Link& link = *message.link;
    return fmt::format("{} of microbatch {}{} from rank {} (stage {})", noun(link.direction),
                       message.microbatch,
                       message.later > 0 ? fmt::format(" and {} later ones", message.later) : "",
                       from, link.producer_stage);
}

// Longer than any decision that ends takes, shorter than what a stopped rank is known by.
constexpr std::chrono::milliseconds patience{20};

/// What the dispatcher and its agreement say of themselves.
void ask_decider(ProgressReport& report, Dispatcher& dispatcher, Agreement* agreement) {
    report.ready = ready_tasks(dispatcher.state());
    if (!report.ready.empty() && !report.busy) {
        report.ready += fmt::format(" (arbiter '{}' waits)", dispatcher.arbiter().name());
    }
    if (agreement == nullptr) return;
    if (std::string text = agreement->awaited(); !text.empty()) {
        report.awaited.push_back(std::move(text));
    }
}

}  // namespace

ProgressReport stall_report(IterationEngine& engine, unsigned context, const std::string& arbiter) {
    ProgressReport report{.progress = engine.progress().total() + engine.arrivals(),
                          .working = true,
                          .busy = engine.busy(),
                          .ready = {},
                          .awaited = {}};
    const bool asked =
        with_dispatcher(context, patience, [&](Dispatcher& dispatcher, Agreement* agreement) {
            ask_decider(report, dispatcher, agreement);
        });
    if (!asked) {
        report.ready = fmt::format("unknown: arbiter '{}' has not returned from a call", arbiter);
    }
    for (const AwaitedMessage& message : engine.pool().awaited()) {
        const int from = engine.messages().world_rank(*message.link->receive_from);
        report.awaited.push_back(describe(message, from));
    }
    return report;
}

}  // namespace rrfp
