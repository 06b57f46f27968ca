#include "runtime/simulation/stall.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rrfp {
namespace {

constexpr std::size_t listed = 8;  // entries a list shows before it says how many more there are

std::string join(std::vector<std::string> entries) {
    if (entries.empty()) {
        return "nothing";
    }
    const std::size_t more = entries.size() > listed ? entries.size() - listed : 0;
    entries.resize(entries.size() - more);
    const std::string text = fmt::format("{}", fmt::join(entries, " "));
    return more > 0 ? fmt::format("{} and {} more", text, more) : text;
}

std::string describe_rank(const Dispatcher& dispatcher,
                          const std::vector<std::unique_ptr<Dispatcher>>& dispatchers) {
    const RankState& state = dispatcher.state();
    const Pipeline& pipeline = state.pipeline();
    std::vector<std::string> ready;
    std::vector<std::string> awaited;
    for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
        for (int kind = 0; kind < pipeline.kinds(); ++kind) {
            for (int chunk = 0; chunk < state.chunks(); ++chunk) {
                const Task task = state.task(static_cast<TaskKind>(kind), chunk, microbatch);
                if (state.is_ready(task)) {
                    ready.push_back(to_action(task, pipeline.split_weight));
                } else if (!state.is_dispatched(task)) {
                    // The nearest cause: an input whose own task has not run, of another rank.
                    for (const Task& input : pipeline.predecessors(task)) {
                        const int source = pipeline.placement.rank_of(input.stage);
                        if (source != state.rank() &&
                            !dispatchers[source]->state().is_dispatched(input)) {
                            awaited.push_back(fmt::format(
                                "{} (rank {})", to_action(input, pipeline.split_weight), source));
                        }
                    }
                }
            }
        }
    }
    return fmt::format("rank {}: in flight {}, ready: {}; awaited: {}", state.rank(),
                       state.in_flight(), join(std::move(ready)), join(std::move(awaited)));
}

}  // namespace

std::string describe_stall(const std::vector<std::unique_ptr<Dispatcher>>& dispatchers) {
    std::string text;
    for (const auto& dispatcher : dispatchers) {
        if (!dispatcher->finished()) {
            text += "\n  " + describe_rank(*dispatcher, dispatchers);
        }
    }
    return text;
}

}  // namespace rrfp
