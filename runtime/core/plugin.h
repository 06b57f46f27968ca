#pragma once

#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/core/plugin_abi.h"

/// Arbiters of one's own, in C++ and in a library of their own:
///
///     class Greedy final : public rrfp::plugin::Arbiter {
///       public:
///         explicit Greedy(const rrfp::plugin::Setup&) {}
///         std::optional<Task> choose(const rrfp::plugin::Candidates& candidates) override;
///     };
///     RRFP_PLUGIN(rrfp::plugin::arbiter<Greedy>("greedy"))
///
/// `c++ -std=c++20 -shared -fPIC -I <prefix>/include/rrfp greedy.cpp -o greedy.so` builds it. It
/// links nothing of rrfp, and this header includes nothing but the C interface below it.
namespace rrfp::plugin {

enum class TaskKind : std::int32_t {
    forward = RRFP_FORWARD,
    backward = RRFP_BACKWARD,
    weight_gradient = RRFP_WEIGHT_GRADIENT
};

/// Stages count over the whole model, microbatches within the iteration.
struct Task {
    TaskKind kind = TaskKind::forward;
    int stage = 0;
    int microbatch = 0;

    friend bool operator==(const Task&, const Task&) = default;
};

inline Task from_abi(const rrfp_plugin_task& task) {
    return {static_cast<TaskKind>(task.kind), task.stage, task.microbatch};
}

inline rrfp_plugin_task to_abi(const Task& task) {
    return {static_cast<std::int32_t>(task.kind), task.stage, task.microbatch};
}

/// What the arbiter of one rank is made from.
class Setup {
  public:
    explicit Setup(const rrfp_plugin_setup& setup) : setup_(setup) {}

    int rank() const { return setup_.rank; }
    int ranks() const { return setup_.ranks; }
    int stages() const { return setup_.stages; }
    int microbatches() const { return setup_.microbatches; }
    bool split_weight() const { return setup_.split_weight != 0; }
    int rank_of(int stage) const { return setup_.rank_of_stage[stage]; }
    /// Most microbatches in flight at `rank`.
    int limit(int rank) const { return setup_.limits[rank]; }
    /// This rank's list of the hint order; empty where the job has none.
    std::vector<Task> hint() const {
        std::vector<Task> tasks;
        for (int entry = 0; entry < setup_.hint_size; ++entry) {
            tasks.push_back(from_abi(setup_.hint[entry]));
        }
        return tasks;
    }

  private:
    const rrfp_plugin_setup& setup_;
};

/// The ready tasks that every filter admits, and where the rank stands.
class Candidates {
  public:
    explicit Candidates(const rrfp_plugin_candidates& view) : view_(view) {}

    int chunks() const { return view_.chunks; }
    /// Forwards dispatched minus released.
    int in_flight() const { return view_.in_flight; }
    int forwards_dispatched() const { return view_.forwards_dispatched; }
    int released() const { return view_.released; }
    /// Forward or backward; nothing before the first dispatch.
    std::optional<TaskKind> last_direction() const {
        return view_.last_direction < 0
                   ? std::nullopt
                   : std::optional(static_cast<TaskKind>(view_.last_direction));
    }
    /// The lowest microbatch of (kind, chunk).
    std::optional<Task> first(TaskKind kind, int chunk) const {
        rrfp_plugin_task found;
        const bool any = view_.first(view_.handle, static_cast<std::int32_t>(kind), chunk, &found);
        return any ? std::optional(from_abi(found)) : std::nullopt;
    }
    /// The one that rrfp's own arbiters prefer: forwards and weight gradients of the lowest
    /// microbatch, backwards of the highest chunk.
    std::optional<Task> first(TaskKind kind) const {
        rrfp_plugin_task found;
        const bool any = view_.preferred(view_.handle, static_cast<std::int32_t>(kind), &found);
        return any ? std::optional(from_abi(found)) : std::nullopt;
    }
    std::optional<Task> first_forward() const { return first(TaskKind::forward); }
    std::optional<Task> first_backward() const { return first(TaskKind::backward); }
    std::optional<Task> first_weight_gradient() const { return first(TaskKind::weight_gradient); }
    bool contains(const Task& task) const {
        const rrfp_plugin_task abi = to_abi(task);
        return view_.contains(view_.handle, &abi) != 0;
    }

  private:
    const rrfp_plugin_candidates& view_;
};

/// Chooses at one rank. Calls come one at a time, but not always on one thread. An exception ends
/// the run with an error that names the plugin.
class Arbiter {
  public:
    virtual ~Arbiter() = default;

    virtual void begin_iteration() {}
    /// `task` has joined the ready set.
    virtual void ready(const Task& /*task*/) {}
    /// The task to run, one of the candidates; nothing means: wait. It is asked again when
    /// something changes at this rank, and now and then while nothing does. A choice that
    /// `dispatched` does not follow must leave no trace.
    virtual std::optional<Task> choose(const Candidates& candidates) = 0;
    virtual void dispatched(const Task& /*task*/) {}
    /// `task` has run, for so long from its start to its end.
    virtual void completed(const Task& /*task*/, double /*milliseconds*/) {}
};

/// Flags of `arbiter`, or'ed.
inline constexpr std::uint32_t needs_hint = RRFP_ARBITER_NEEDS_HINT;
/// The choice depends on the candidates and on what was dispatched alone: what `allgather` needs.
inline constexpr std::uint32_t agrees = RRFP_ARBITER_AGREES;
/// Weight gradients run only where `choose` names one. Else they run when it waits.
inline constexpr std::uint32_t ranks_weight_gradients = RRFP_ARBITER_RANKS_WEIGHT_GRADIENTS;

namespace glue {

inline std::string& last_error() {
    thread_local std::string text;
    return text;
}

/// What `call` returns, or `failed` with the text of its exception kept.
template <typename Result, typename Call>
Result guarded(Result failed, Call&& call) noexcept {
    try {
        return call();
    } catch (const std::exception& error) {
        last_error() = error.what();
    } catch (...) {
        last_error() = "an exception that is no std::exception";
    }
    return failed;
}

/// -1 where `call` throws, else 0.
template <typename Call>
std::int32_t status(Call&& call) noexcept {
    return guarded(std::int32_t{-1}, [&] {
        call();
        return std::int32_t{0};
    });
}

inline Arbiter& arbiter(void* self) { return *static_cast<Arbiter*>(self); }

inline std::int32_t choose(void* self, const rrfp_plugin_candidates* candidates,
                           rrfp_plugin_task* chosen) {
    return guarded(std::int32_t{-1}, [&] {
        const std::optional<Task> task = arbiter(self).choose(Candidates(*candidates));
        if (task) *chosen = to_abi(*task);
        return std::int32_t{task.has_value()};
    });
}

class Registration {
  public:
    explicit Registration(std::vector<rrfp_plugin_arbiter> arbiters)
        : arbiters_(std::move(arbiters)) {
        for (const rrfp_plugin_arbiter& entry : arbiters_) pointers_.push_back(&entry);
        table_ = {RRFP_PLUGIN_ABI, static_cast<std::uint32_t>(pointers_.size()), pointers_.data()};
    }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

    const rrfp_plugin* table() const { return &table_; }

  private:
    std::vector<rrfp_plugin_arbiter> arbiters_;
    std::vector<const rrfp_plugin_arbiter*> pointers_;
    rrfp_plugin table_;
};

}  // namespace glue

/// The arbiter `name`, of class `Own`, which is made from a Setup.
template <typename Own>
rrfp_plugin_arbiter arbiter(const char* name, std::uint32_t flags = 0) {
    rrfp_plugin_arbiter entry{};
    entry.size = sizeof(entry);
    entry.flags = flags;
    entry.name = name;
    entry.create = [](const rrfp_plugin_setup* setup) {
        return glue::guarded(static_cast<void*>(nullptr), [&] {
            return static_cast<void*>(static_cast<Arbiter*>(new Own(Setup(*setup))));
        });
    };
    entry.destroy = [](void* self) { delete static_cast<Arbiter*>(self); };
    entry.choose = glue::choose;
    entry.begin_iteration = [](void* self) {
        return glue::status([&] { glue::arbiter(self).begin_iteration(); });
    };
    entry.ready = [](void* self, const rrfp_plugin_task* task) {
        return glue::status([&] { glue::arbiter(self).ready(from_abi(*task)); });
    };
    entry.dispatched = [](void* self, const rrfp_plugin_task* task) {
        return glue::status([&] { glue::arbiter(self).dispatched(from_abi(*task)); });
    };
    entry.completed = [](void* self, const rrfp_plugin_task* task, double milliseconds) {
        return glue::status([&] { glue::arbiter(self).completed(from_abi(*task), milliseconds); });
    };
    entry.last_error = [] { return glue::last_error().c_str(); };
    return entry;
}

}  // namespace rrfp::plugin

/// Once in a plugin: the arbiters it brings, as in RRFP_PLUGIN(rrfp::plugin::arbiter<Own>("own")).
#define RRFP_PLUGIN(...)                                                           \
    extern "C" RRFP_PLUGIN_EXPORT const rrfp_plugin* rrfp_plugin_entry() {         \
        static const rrfp::plugin::glue::Registration registration({__VA_ARGS__}); \
        return registration.table();                                               \
    }
