// The cost of one decision, and of simulating one iteration.

#include <benchmark/benchmark.h>

#include "adapters/schedules/registry.h"
#include "runtime/core/schedule_options.h"
#include "runtime/simulation/make_dispatchers.h"
#include "runtime/simulation/simulator.h"

namespace {

using namespace rrfp;

/// One decision: a task becomes ready, the rank chooses, the chosen task completes. `ready` tasks
/// are candidates at each choice, half of them forwards at first.
void decision(benchmark::State& state, const std::string& arbiter) {
    const auto ready = static_cast<std::size_t>(state.range(0));
    const Pipeline pipeline{.placement = Placement::loop(1), .microbatches = 4096};
    const HintOrder hint = make_hint("1f1b", pipeline);
    const std::vector<Task>& list = hint[0];
    const auto dispatcher = make_dispatcher(
        pipeline, 0, {.arbiter = arbiter, .hint = hint, .limits = {pipeline.microbatches}});
    std::size_t next = list.size();
    for (auto _ : state) {
        if (next == list.size()) {
            state.PauseTiming();
            dispatcher->begin_iteration();
            for (next = 0; next < ready - 1; ++next) {
                dispatcher->ready(list[next]);
            }
            state.ResumeTiming();
        }
        dispatcher->ready(list[next++]);
        const auto task = dispatcher->choose();
        dispatcher->completed(*task, 1);
        benchmark::DoNotOptimize(task);
    }
}

/// One iteration of 8 ranks and 192 microbatches in virtual time.
void simulation(benchmark::State& state, const std::string& arbiter) {
    const Pipeline pipeline{.placement = Placement::loop(8), .microbatches = 192};
    const ScheduleOptions options{
        .arbiter = arbiter, .hint = make_hint("1f1b", pipeline), .limits = std::vector<int>(8, 32)};
    const auto dispatchers = make_dispatchers(pipeline, options);
    const Durations sample = Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20},
                                             {.compute_cv = 0.5, .comm_mean_ms = 1}, 0);
    for (auto _ : state) {
        benchmark::DoNotOptimize(simulate(pipeline, dispatchers, sample).makespan_ms);
    }
}

/// The draws of such an iteration.
void drawing(benchmark::State& state) {
    const Pipeline pipeline{.placement = Placement::loop(8), .microbatches = 192};
    const Jitter jitter{.compute_cv = 0.5, .microbatch_cv = 0.5, .comm_mean_ms = 1};
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20}, jitter, 0));
    }
}

const bool registered = [] {
    for (const std::string& arbiter : arbiter_names()) {
        benchmark::RegisterBenchmark(("decision/" + arbiter).c_str(), decision, arbiter)
            ->Arg(32)
            ->Arg(768);
    }
    for (const std::string& arbiter : arbiter_names()) {
        benchmark::RegisterBenchmark(("simulation_8x192/" + arbiter).c_str(), simulation, arbiter)
            ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark("draw_8x192", drawing)->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
