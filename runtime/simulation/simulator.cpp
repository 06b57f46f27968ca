#include "runtime/simulation/simulator.h"

#include <algorithm>
#include <queue>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

#include "runtime/simulation/buffer_model.h"
#include "runtime/simulation/stall.h"

namespace rrfp {
namespace {

/// Something that happens at a time: a task ends, or its result reaches a consumer.
struct Event {
    double time = 0;
    bool is_message = false;     // at one time, tasks end (and free their inputs) before messages
    std::uint64_t sequence = 0;  // further ties are resolved in the order of creation
    Task producer;

    bool operator>(const Event& other) const {
        return std::tie(time, is_message, sequence) >
               std::tie(other.time, other.is_message, other.sequence);
    }
};

class Simulation {
  public:
    Simulation(const Pipeline& pipeline,
               const std::vector<std::unique_ptr<Dispatcher>>& dispatchers,
               const Durations& durations, const SimulationOptions& options)
        : pipeline_(pipeline),
          dispatchers_(dispatchers),
          durations_(durations),
          buffers_(pipeline, options.message_bytes),
          busy_(dispatchers.size()),
          woken_(dispatchers.size(), true) {
        result_.ranks.resize(dispatchers.size());
        for (int stage = 0; stage < pipeline.placement.stages(); ++stage) {
            for (int kind = 0; kind < task_kinds; ++kind) {
                const Task task{static_cast<TaskKind>(kind), stage, 0};
                const auto inputs = static_cast<int>(pipeline.predecessors(task).size());
                missing_.insert(missing_.end(), pipeline.microbatches, inputs);
            }
        }
    }

    SimulationResult run() {
        begin();
        choose();
        while (!events_.empty() || ask_again()) {
            now_ = events_.top().time;
            while (!events_.empty() && events_.top().time == now_) {
                const Event event = events_.top();
                events_.pop();
                event.is_message ? message_arrived(event.producer) : task_ended(event.producer);
            }
            choose();
        }
        return finish();
    }

  private:
    void begin() {
        for (const auto& dispatcher : dispatchers_) {
            dispatcher->begin_iteration();
        }
        for (int microbatch = 0; microbatch < pipeline_.microbatches; ++microbatch) {
            make_ready({TaskKind::forward, 0, microbatch});
        }
    }

    void choose() {
        for (std::size_t rank = 0; rank < dispatchers_.size(); ++rank) {
            if (!woken_[rank] || busy_[rank]) {
                continue;
            }
            woken_[rank] = false;
            if (const auto task = dispatchers_[rank]->choose()) {
                start(static_cast<int>(rank), *task);
            }
        }
    }

    /// Nothing is left to happen: an arbiter that waits with tasks at hand is asked once more.
    /// Whether any has changed its mind.
    bool ask_again() {
        woken_.assign(woken_.size(), true);
        choose();
        return !events_.empty();
    }

    void start(int rank, const Task& task) {
        busy_[rank] = true;
        const double duration = durations_.task_ms(task);
        result_.ranks[rank].tasks.push_back({task, now_, now_ + duration});
        result_.ranks[rank].compute_ms += duration;
        push(now_ + duration, task, false);
    }

    void task_ended(const Task& task) {
        const int rank = pipeline_.placement.rank_of(task.stage);
        busy_[rank] = false;
        woken_[rank] = true;
        dispatchers_[rank]->completed(task, durations_.task_ms(task));
        buffers_.task_ended(task);
        for (const Task& successor : pipeline_.successors(task)) {
            if (pipeline_.crosses_ranks(task, successor)) {
                push(now_ + durations_.message_ms(task), task, true);
            } else {
                deliver(task, successor);
            }
        }
    }

    void message_arrived(const Task& producer) {
        const int step = producer.kind == TaskKind::forward ? 1 : -1;
        deliver(producer, {producer.kind, producer.stage + step, producer.microbatch});
    }

    void deliver(const Task& producer, const Task& consumer) {
        if (producer.stage != consumer.stage) {
            buffers_.arrived(producer, consumer);
        }
        if (--missing(consumer) == 0) {
            make_ready(consumer);
        }
    }

    void make_ready(const Task& task) {
        const int rank = pipeline_.placement.rank_of(task.stage);
        dispatchers_[rank]->ready(task);
        woken_[rank] = true;
    }

    void push(double time, const Task& producer, bool is_message) {
        events_.push({time, is_message, sequence_++, producer});
    }

    int& missing(const Task& task) {
        const auto row =
            static_cast<std::size_t>(task.stage) * task_kinds + static_cast<std::size_t>(task.kind);
        return missing_[row * pipeline_.microbatches + task.microbatch];
    }

    SimulationResult finish() {
        for (const auto& dispatcher : dispatchers_) {
            if (!dispatcher->finished()) {
                throw std::runtime_error(
                    fmt::format("the simulation is deadlocked at {} ms under arbiter '{}':{}", now_,
                                dispatcher->arbiter().name(), describe_stall(dispatchers_)));
            }
        }
        result_.makespan_ms = 0;
        for (const RankIteration& rank : result_.ranks) {
            result_.makespan_ms = std::max(result_.makespan_ms, rank.tasks.back().end_ms);
        }
        for (std::size_t rank = 0; rank < result_.ranks.size(); ++rank) {
            RankIteration& done = result_.ranks[rank];
            done.blocking_ms = result_.makespan_ms - done.compute_ms;
            done.in_flight_high_water = dispatchers_[rank]->state().in_flight_high_water();
            done.buffers = buffers_.buffers(static_cast<int>(rank));
        }
        return std::move(result_);
    }

    const Pipeline& pipeline_;
    const std::vector<std::unique_ptr<Dispatcher>>& dispatchers_;
    const Durations& durations_;
    BufferModel buffers_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::uint64_t sequence_ = 0;
    double now_ = 0;
    std::vector<int> missing_;  // inputs, [(stage * kinds + kind) * microbatches + microbatch]
    std::vector<bool> busy_;    // [rank]
    std::vector<bool> woken_;   // [rank]: something happened there since its last choice
    SimulationResult result_;
};

}  // namespace

SimulationResult simulate(const Pipeline& pipeline,
                          const std::vector<std::unique_ptr<Dispatcher>>& dispatchers,
                          const Durations& durations, const SimulationOptions& options) {
    return Simulation(pipeline, dispatchers, durations, options).run();
}

}  // namespace rrfp
