// What the runtime itself adds to a task, measured on two ranks with tasks that do nothing.
//
// One microbatch an iteration leaves nothing to wait for but the runtime: the way from the call of
// `run` to the first task's start is submission and dispatch, the way from a task's end to its
// successor's start is dependency release and dispatch, with a message in between where the
// successor is on the other rank. Many microbatches give the time a task when the worker never
// sleeps. Rank 0 prints one JSON object.

#include <algorithm>
#include <mpi.h>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/rank_program.h"
#include "runtime/core/schedule_options.h"
#include "runtime/starpu/pipeline_runner.h"
#include "runtime/starpu/runtime.h"

namespace rrfp {
namespace {

constexpr int warm_up_iterations = 20;

/// A body that hands on a new buffer of `message_bytes` without touching it.
TaskBody empty_body(std::size_t message_bytes) {
    const std::vector<std::int64_t> shape{static_cast<std::int64_t>(message_bytes)};
    return [shape](const Task&, std::uint64_t, const TensorList&, const TensorList&) {
        return TensorList{Tensor::allocate(DLDataType{kDLUInt, 8, 1}, shape)};
    };
}

/// When the forward and the backward of one microbatch ran, and when `run` was called.
struct Passage {
    double called_ms;
    double forward_start_ms, forward_end_ms;
    double backward_start_ms, backward_end_ms;
};

Passage passage(double called_ms, const RankIteration& iteration) {
    const TaskRecord& forward = iteration.tasks.at(0);
    const TaskRecord& backward = iteration.tasks.at(1);
    return {called_ms, forward.start_ms, forward.end_ms, backward.start_ms, backward.end_ms};
}

/// The passages of rank 1, at rank 0.
std::vector<Passage> passages_of_peer(const Runtime& runtime, std::vector<Passage> mine) {
    const int count = static_cast<int>(mine.size() * sizeof(Passage));
    MPI_Request request = MPI_REQUEST_NULL;
    if (runtime.rank() == 0) {
        MPI_Irecv(mine.data(), count, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
    } else {
        MPI_Isend(mine.data(), count, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
    }
    Runtime::wait(request);
    return mine;
}

nlohmann::json quantiles_us(std::vector<double> ms) {
    std::ranges::sort(ms);
    const auto at = [&](double share) {
        return 1e3 * ms[static_cast<std::size_t>(share * static_cast<double>(ms.size() - 1))];
    };
    return {{"median_us", at(0.5)}, {"p95_us", at(0.95)}};
}

/// What a rank of a two-stage pipeline with `microbatches` runs.
struct Bench {
    Runtime& runtime;
    Pipeline pipeline;
    PipelineRunner runner;

    Bench(Runtime& used_runtime, int microbatches, std::size_t message_bytes)
        : runtime(used_runtime),
          pipeline{Placement::loop(2), microbatches},
          runner(runtime, pipeline, make_dispatcher(pipeline, runtime.rank(), options()),
                 empty_body(message_bytes), RunnerOptions{.window = 64}) {}

    static ScheduleOptions options() { return {.arbiter = "bf", .limits = {32, 32}}; }
};

nlohmann::json latencies(Runtime& runtime, std::size_t message_bytes, int iterations) {
    Bench bench(runtime, 1, message_bytes);
    std::vector<Passage> mine;
    for (int i = 0; i < warm_up_iterations + iterations; ++i) {
        const double called_ms = Runtime::now_ms();
        const RankIteration iteration = bench.runner.run(static_cast<std::uint64_t>(i));
        if (i >= warm_up_iterations) mine.push_back(passage(called_ms, iteration));
    }
    const std::vector<Passage> theirs = passages_of_peer(runtime, mine);

    std::vector<double> submit, same_rank, across;
    for (std::size_t i = 0; i < mine.size(); ++i) {
        submit.push_back(mine[i].forward_start_ms - mine[i].called_ms);
        same_rank.push_back(theirs[i].backward_start_ms - theirs[i].forward_end_ms);
        across.push_back(theirs[i].forward_start_ms - mine[i].forward_end_ms);
        across.push_back(mine[i].backward_start_ms - theirs[i].backward_end_ms);
    }
    return {{"message_bytes", message_bytes},
            {"submit_to_start", quantiles_us(submit)},
            {"end_to_start_same_rank", quantiles_us(same_rank)},
            {"end_to_start_across_ranks", quantiles_us(across)}};
}

/// Microseconds a task of one rank takes when there are always others to run.
nlohmann::json throughput(Runtime& runtime, int iterations) {
    constexpr int microbatches = 256;
    Bench bench(runtime, microbatches, 2048);
    std::vector<double> per_task_ms;
    for (int i = 0; i < warm_up_iterations + iterations; ++i) {
        const double called_ms = Runtime::now_ms();
        bench.runner.run(static_cast<std::uint64_t>(i));
        const double elapsed_ms = Runtime::now_ms() - called_ms;
        if (i >= warm_up_iterations) per_task_ms.push_back(elapsed_ms / (2 * microbatches));
    }
    return quantiles_us(per_task_ms);
}

nlohmann::json measure(Runtime& runtime) {
    nlohmann::json result;
    for (const std::size_t bytes : {std::size_t{2048}, std::size_t{1} << 20}) {
        result["latencies"].push_back(latencies(runtime, bytes, 300));
    }
    result["time_per_task"] = throughput(runtime, 30);
    return result;
}

}  // namespace
}  // namespace rrfp

int main() { return rrfp::rank_program("task_overhead", 2, rrfp::measure); }
