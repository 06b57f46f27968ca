// A plugin as a user would write one: good arbiters and bad ones.

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>

#include "runtime/core/plugin.h"

namespace {

using rrfp::plugin::Candidates;
using rrfp::plugin::Setup;
using rrfp::plugin::Task;
using rrfp::plugin::TaskKind;

/// Alternation, as `bf`.
class Alternate : public rrfp::plugin::Arbiter {
  public:
    explicit Alternate(const Setup& /*setup*/) {}
    std::optional<Task> choose(const Candidates& candidates) override {
        const auto forward = candidates.first_forward();
        const auto backward = candidates.first_backward();
        const bool forwards_turn = candidates.last_direction() == TaskKind::backward;
        return forwards_turn ? (forward ? forward : backward) : (backward ? backward : forward);
    }
};

/// The first task of the hint that is ready, as `order` for short lists.
class Follow final : public rrfp::plugin::Arbiter {
  public:
    explicit Follow(const Setup& setup) : hint_(setup.hint()) {}
    std::optional<Task> choose(const Candidates& candidates) override {
        for (const Task& task : hint_) {
            if (candidates.contains(task)) return task;
        }
        return std::nullopt;
    }

  private:
    std::vector<Task> hint_;
};

/// Waits when a task is first offered, and takes it when asked again.
class Hesitant final : public Alternate {
  public:
    using Alternate::Alternate;
    std::optional<Task> choose(const Candidates& candidates) override {
        const auto task = Alternate::choose(candidates);
        if (!task) return task;
        const bool seen = !offered_.emplace(task->kind, task->stage, task->microbatch).second;
        return seen ? task : std::nullopt;
    }
    void begin_iteration() override { offered_.clear(); }

  private:
    std::set<std::tuple<TaskKind, int, int>> offered_;
};

class Stubborn final : public Alternate {
  public:
    using Alternate::Alternate;
    std::optional<Task> choose(const Candidates& /*candidates*/) override { return std::nullopt; }
};

class Failing final : public Alternate {
  public:
    using Alternate::Alternate;
    void dispatched(const Task& task) override {
        if (task.kind == TaskKind::backward) throw std::runtime_error("out of ideas");
    }
};

/// Counts on a task that is not there.
class Stray final : public Alternate {
  public:
    using Alternate::Alternate;
    std::optional<Task> choose(const Candidates& /*candidates*/) override {
        return Task{TaskKind::backward, 0, 0};
    }
};

class Crashing final : public Alternate {
  public:
    using Alternate::Alternate;
    std::optional<Task> choose(const Candidates& /*candidates*/) override {
        std::raise(SIGSEGV);
        return std::nullopt;
    }
};

class Leaving final : public Alternate {
  public:
    using Alternate::Alternate;
    std::optional<Task> choose(const Candidates& /*candidates*/) override { std::exit(0); }
};

class Endless final : public Alternate {
  public:
    using Alternate::Alternate;
    std::optional<Task> choose(const Candidates& /*candidates*/) override {
        for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
    }
};

class Picky final : public Alternate {
  public:
    explicit Picky(const Setup& setup) : Alternate(setup) {
        if (setup.ranks() > 1) {
            throw std::invalid_argument("wants one rank, not " + std::to_string(setup.ranks()));
        }
    }
};

}  // namespace

RRFP_PLUGIN(rrfp::plugin::arbiter<Alternate>("alternate", rrfp::plugin::agrees),
            rrfp::plugin::arbiter<Follow>("follow", rrfp::plugin::needs_hint |
                                                        rrfp::plugin::ranks_weight_gradients),
            rrfp::plugin::arbiter<Hesitant>("hesitant"),
            rrfp::plugin::arbiter<Stubborn>("stubborn"), rrfp::plugin::arbiter<Failing>("failing"),
            rrfp::plugin::arbiter<Stray>("stray"), rrfp::plugin::arbiter<Crashing>("crashing"),
            rrfp::plugin::arbiter<Leaving>("leaving"), rrfp::plugin::arbiter<Endless>("endless"),
            rrfp::plugin::arbiter<Picky>("picky"))
