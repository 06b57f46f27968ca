#include "runtime/core/plugin_arbiter.h"

#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "runtime/core/plugin_calls.h"

namespace rrfp {
namespace {

rrfp_plugin_task to_abi(const Task& task) {
    return {static_cast<std::int32_t>(task.kind), task.stage, task.microbatch};
}

/// Kinds a plugin names that do not exist become one that is no candidate.
Task from_abi(const rrfp_plugin_task& task) {
    const bool known = task.kind >= 0 && task.kind < task_kinds;
    return {static_cast<TaskKind>(known ? task.kind : 0), known ? task.stage : -1, task.microbatch};
}

std::int32_t write(const std::optional<Task>& task, rrfp_plugin_task* found) {
    if (task) {
        *found = to_abi(*task);
    }
    return task ? 1 : 0;
}

const Candidates& candidates_of(const void* handle) {
    return *static_cast<const Candidates*>(handle);
}

std::int32_t first(const void* handle, std::int32_t kind, std::int32_t chunk,
                   rrfp_plugin_task* found) {
    const Candidates& candidates = candidates_of(handle);
    const RankState& state = candidates.state();
    if (kind < 0 || kind >= task_kinds || chunk < 0 || chunk >= state.chunks()) {
        return 0;
    }
    const auto known = static_cast<TaskKind>(kind);
    const auto microbatch = candidates.first(known, chunk);
    return microbatch ? write(state.task(known, chunk, *microbatch), found) : 0;
}

std::int32_t preferred(const void* handle, std::int32_t kind, rrfp_plugin_task* found) {
    const Candidates& candidates = candidates_of(handle);
    switch (kind) {
        case RRFP_FORWARD:
            return write(candidates.first_forward(), found);
        case RRFP_BACKWARD:
            return write(candidates.first_backward(), found);
        case RRFP_WEIGHT_GRADIENT:
            return write(candidates.first_weight_gradient(), found);
        default:
            return 0;
    }
}

std::int32_t contains(const void* handle, const rrfp_plugin_task* task) {
    return candidates_of(handle).contains(from_abi(*task)) ? 1 : 0;
}

rrfp_plugin_candidates view_of(const Candidates& candidates) {
    const RankState& state = candidates.state();
    const auto direction = state.last_direction();
    return {.size = sizeof(rrfp_plugin_candidates),
            .chunks = state.chunks(),
            .in_flight = state.in_flight(),
            .forwards_dispatched = state.forwards_dispatched(),
            .released = state.released(),
            .last_direction = direction ? static_cast<std::int32_t>(*direction) : -1,
            .handle = &candidates,
            .first = first,
            .preferred = preferred,
            .contains = contains};
}

class PluginArbiter final : public Arbiter {
  public:
    PluginArbiter(const rrfp_plugin_arbiter& table, const std::string& path,
                  const ArbiterSetup& setup)
        : table_(table),
          label_(fmt::format("{} (plugin {})", table.name, path)),
          whose_(fmt::format("arbiter '{}'", label_)) {
        const Placement& placement = setup.pipeline.placement;
        std::vector<std::int32_t> rank_of_stage;
        for (int stage = 0; stage < placement.stages(); ++stage) {
            rank_of_stage.push_back(placement.rank_of(stage));
        }
        std::vector<std::int32_t> limits(setup.limits.begin(), setup.limits.end());
        limits.resize(placement.ranks(), setup.pipeline.microbatches);
        std::vector<rrfp_plugin_task> hint;
        for (const Task& task : setup.hint) {
            hint.push_back(to_abi(task));
        }
        const rrfp_plugin_setup plain{.size = sizeof(rrfp_plugin_setup),
                                      .rank = setup.rank,
                                      .ranks = placement.ranks(),
                                      .stages = placement.stages(),
                                      .microbatches = setup.pipeline.microbatches,
                                      .split_weight = setup.pipeline.split_weight ? 1 : 0,
                                      .rank_of_stage = rank_of_stage.data(),
                                      .limits = limits.data(),
                                      .hint = hint.data(),
                                      .hint_size = static_cast<std::int32_t>(hint.size())};
        self_ = call("create", table_.create, &plain);
        if (self_ == nullptr) {
            fail("create");
        }
    }
    ~PluginArbiter() override { call("destroy", table_.destroy, self_); }
    PluginArbiter(const PluginArbiter&) = delete;
    PluginArbiter& operator=(const PluginArbiter&) = delete;

    std::string_view name() const override { return label_; }
    bool ranks_weight_gradients() const override {
        return (table_.flags & RRFP_ARBITER_RANKS_WEIGHT_GRADIENTS) != 0;
    }

    void begin_iteration() override { tell("begin_iteration", table_.begin_iteration); }
    void ready(const Task& task) override {
        const rrfp_plugin_task plain = to_abi(task);
        tell("ready", table_.ready, &plain);
    }
    void dispatched(const Task& task) override {
        const rrfp_plugin_task plain = to_abi(task);
        tell("dispatched", table_.dispatched, &plain);
    }
    void completed(const Task& task, double milliseconds) override {
        const rrfp_plugin_task plain = to_abi(task);
        tell("completed", table_.completed, &plain, milliseconds);
    }

    std::optional<Task> choose(const Candidates& candidates) override {
        const rrfp_plugin_candidates view = view_of(candidates);
        rrfp_plugin_task chosen{};
        const std::int32_t answer = call("choose", table_.choose, self_, &view, &chosen);
        if (answer < 0) {
            fail("choose");
        }
        return answer > 0 ? std::optional(from_abi(chosen)) : std::nullopt;
    }

  private:
    template <class Result, class... Parameters, class... Arguments>
    Result call(const char* name, Result (*function)(Parameters...), Arguments... arguments) const {
        const PluginCall under_way(whose_.c_str(), name);
        return function(arguments...);
    }

    /// An event that the plugin need not care for.
    template <class Event, class... Arguments>
    void tell(const char* name, Event event, Arguments... arguments) {
        if (event != nullptr && call(name, event, self_, arguments...) < 0) fail(name);
    }

    [[noreturn]] void fail(const char* function) const {
        const char* text = table_.last_error != nullptr ? table_.last_error() : nullptr;
        throw std::runtime_error(fmt::format("arbiter '{}' failed in {}: {}", label_, function,
                                             text != nullptr ? text : "it gives no reason"));
    }

    rrfp_plugin_arbiter table_;
    std::string label_;
    std::string whose_;
    void* self_ = nullptr;
};

}  // namespace

std::unique_ptr<Arbiter> make_plugin_arbiter(const rrfp_plugin_arbiter& table,
                                             const std::string& path, const ArbiterSetup& setup) {
    return std::make_unique<PluginArbiter>(table, path, setup);
}

}  // namespace rrfp
