#include "runtime/simulation/group_simulator.h"

#include <algorithm>
#include <queue>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "runtime/simulation/simulated_group.h"

namespace rrfp {
namespace {

enum class EventKind : std::uint8_t { task_ended, input_arrived, proposal_arrived, woken };

/// What happens at a member of a rank at a time.
struct Event {
    double time = 0;
    EventKind kind = EventKind::woken;  // at one time in the order of kinds, then of creation
    std::uint64_t sequence = 0;
    int rank = 0;
    int member = 0;
    Task task;  // that has ended, or that reads the input
    int from = 0;
    Proposal proposal;

    bool operator>(const Event& other) const {
        return std::tie(time, kind, sequence) > std::tie(other.time, other.kind, other.sequence);
    }
};

struct Member {
    Dispatcher* dispatcher = nullptr;
    bool busy = false;
    bool woken = true;
    std::unordered_map<Task, int> inputs;  // present, of tasks that await more
    RankIteration done;
};

class GroupSimulation {
  public:
    GroupSimulation(const Pipeline& pipeline,
                    const std::vector<std::unique_ptr<Dispatcher>>& dispatchers,
                    const Durations& durations, const GroupOptions& options)
        : pipeline_(pipeline),
          durations_(durations),
          options_(options),
          members_(dispatchers.size()) {
        for (std::size_t i = 0; i < dispatchers.size(); ++i) {
            members_[i].dispatcher = dispatchers[i].get();
        }
        for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) add_group(rank);
    }

    SimulationResult run() {
        begin();
        choose();
        while (!events_.empty()) {
            now_ = events_.top().time;
            while (!events_.empty() && events_.top().time == now_) {
                const Event event = events_.top();
                events_.pop();
                handle(event);
            }
            choose();
        }
        return finish();
    }

  private:
    Member& at(int rank, int member) {
        return members_[static_cast<std::size_t>(rank) * options_.members + member];
    }

    void add_group(int rank) {
        std::vector<Dispatcher*> dispatchers;
        for (int member = 0; member < options_.members; ++member) {
            dispatchers.push_back(at(rank, member).dispatcher);
        }
        groups_.push_back(std::make_unique<SimulatedGroup>(
            options_.protocol, dispatchers,
            [this, rank](int member) {
                push({.time = now_ + options_.hop_ms, .rank = rank, .member = member});
            },
            [this, rank](int from, int to, const Proposal& proposal) {
                push({.time = now_ + options_.hop_ms,
                      .kind = EventKind::proposal_arrived,
                      .rank = rank,
                      .member = to,
                      .from = from,
                      .proposal = proposal});
            }));
    }

    void begin() {
        for (const auto& group : groups_) {
            for (int member = 0; member < options_.members; ++member) {
                (*group)[member].begin_iteration();
            }
        }
        const int first = pipeline_.placement.rank_of(0);
        for (int microbatch = 0; microbatch < pipeline_.microbatches; ++microbatch) {
            for (int member = 0; member < options_.members; ++member) {
                arrive_later(0, first, member, {TaskKind::forward, 0, microbatch});
            }
        }
    }

    void handle(const Event& event) {
        Member& member = at(event.rank, event.member);
        SimulatedGroup& group = *groups_[event.rank];
        member.woken = true;
        switch (event.kind) {
            case EventKind::task_ended:
                return task_ended(event);
            case EventKind::input_arrived:
                return deliver(event.rank, event.member, event.task);
            case EventKind::proposal_arrived:
                return group.receive(event.member, event.from, event.proposal);
            case EventKind::woken:
                if (member.busy) group[event.member].look();
                return;
        }
    }

    void task_ended(const Event& event) {
        at(event.rank, event.member).busy = false;
        (*groups_[event.rank])[event.member].completed(event.task, durations_.task_ms(event.task));
        for (const Task& successor : pipeline_.successors(event.task)) {
            const int rank = pipeline_.placement.rank_of(successor.stage);
            if (rank == event.rank) {
                deliver(rank, event.member, successor);
            } else {
                arrive_later(durations_.message_ms(event.task), rank, event.member, successor);
            }
        }
    }

    void arrive_later(double delay_ms, int rank, int member, const Task& reader) {
        const double skew_ms = options_.skew_ms ? options_.skew_ms(member, reader) : 0;
        push({.time = now_ + delay_ms + skew_ms,
              .kind = EventKind::input_arrived,
              .rank = rank,
              .member = member,
              .task = reader});
    }

    void deliver(int rank, int member, const Task& reader) {
        const auto inputs = std::max<std::size_t>(1, pipeline_.predecessors(reader).size());
        auto& present = at(rank, member).inputs;
        if (++present[reader] < static_cast<int>(inputs)) return;
        present.erase(reader);
        (*groups_[rank])[member].ready(reader, now_);
        at(rank, member).woken = true;
    }

    void choose() {
        for (int rank = 0; rank < pipeline_.placement.ranks(); ++rank) {
            for (int member = 0; member < options_.members; ++member) {
                Member& self = at(rank, member);
                if (self.busy || !std::exchange(self.woken, false)) continue;
                if (const auto task = groups_[rank]->next(member, now_)) {
                    start(rank, member, *task);
                }
            }
        }
    }

    void start(int rank, int member, const Task& task) {
        at(rank, member).busy = true;
        (*groups_[rank])[member].dispatched(now_);
        at(rank, member).done.tasks.push_back({task, now_, 0});
        if (!options_.collective) return end_later(rank, member, task);
        if (++begun_[task] < options_.members) return;
        for (int each = 0; each < options_.members; ++each) end_later(rank, each, task);
    }

    void end_later(int rank, int member, const Task& task) {
        TaskRecord& record = at(rank, member).done.tasks.back();
        record.end_ms = now_ + durations_.task_ms(task);
        at(rank, member).done.compute_ms += record.end_ms - record.start_ms;
        push({.time = record.end_ms,
              .kind = EventKind::task_ended,
              .rank = rank,
              .member = member,
              .task = task});
    }

    void push(Event event) {
        event.sequence = sequence_++;
        events_.push(event);
    }

    SimulationResult finish() {
        SimulationResult result;
        for (int rank = 0; rank < pipeline_.placement.ranks(); ++rank) {
            for (int member = 0; member < options_.members; ++member) {
                Member& self = at(rank, member);
                if (!self.dispatcher->finished()) fail();
                const Agreement& agreement = (*groups_[rank])[member];
                self.done.tp_coordination_ms = agreement.coordination_ms();
                self.done.agreement = agreement.counts();
                self.done.in_flight_high_water = self.dispatcher->state().in_flight_high_water();
                result.makespan_ms = std::max(result.makespan_ms, self.done.tasks.back().end_ms);
                result.ranks.push_back(std::move(self.done));
            }
        }
        for (RankIteration& rank : result.ranks) {
            rank.blocking_ms = result.makespan_ms - rank.compute_ms - rank.tp_coordination_ms;
        }
        return result;
    }

    [[noreturn]] void fail() {
        std::string text;
        for (int rank = 0; rank < pipeline_.placement.ranks(); ++rank) {
            for (int member = 0; member < options_.members; ++member) {
                text +=
                    fmt::format("\n  rank {} member {}: {} tasks done, {} ready; awaits {}", rank,
                                member, at(rank, member).dispatcher->state().tasks_completed(),
                                at(rank, member).dispatcher->state().ready().size(),
                                (*groups_[rank])[member].awaited());
            }
        }
        throw std::runtime_error(fmt::format("the simulation is deadlocked at {} ms under {}:{}",
                                             now_, name(options_.protocol), text));
    }

    const Pipeline& pipeline_;
    const Durations& durations_;
    const GroupOptions& options_;
    std::vector<Member> members_;  // [rank * members + member]
    std::vector<std::unique_ptr<SimulatedGroup>> groups_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::uint64_t sequence_ = 0;
    double now_ = 0;
    std::unordered_map<Task, int> begun_;  // members that have begun a collective task
};

}  // namespace

SimulationResult simulate_group(const Pipeline& pipeline,
                                const std::vector<std::unique_ptr<Dispatcher>>& dispatchers,
                                const Durations& durations, const GroupOptions& options) {
    const std::size_t wanted =
        static_cast<std::size_t>(pipeline.placement.ranks()) * std::max(0, options.members);
    if (options.members < 1 || dispatchers.size() != wanted) {
        throw std::invalid_argument(
            fmt::format("simulate_group: {} dispatchers for {} ranks of {} members; give one for "
                        "each member, of one or more",
                        dispatchers.size(), pipeline.placement.ranks(), options.members));
    }
    return GroupSimulation(pipeline, dispatchers, durations, options).run();
}

}  // namespace rrfp
