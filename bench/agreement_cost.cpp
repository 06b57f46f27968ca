// What agreement costs: two stages of two tensor ranks each, tasks of 10 ms that sleep, without
// agreement and under each protocol. Start it with mpirun -n 4; agreement.py does.

#include <algorithm>
#include <array>
#include <mpi.h>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/rank_program.h"
#include "codelets/synthetic_program.h"
#include "codelets/task_body.h"
#include "runtime/core/schedule_options.h"
#include "runtime/core/submission_window.h"
#include "runtime/starpu/pipeline_runner.h"

namespace rrfp {
namespace {

constexpr int pipeline_ranks = 2;
constexpr int tensor_ranks = 2;
constexpr int microbatches = 16;
constexpr int warm_up_iterations = 2;
constexpr int iterations = 10;
constexpr double task_ms = 10;

/// One rank's sums over the measured iterations, in this order: milliseconds of the iterations,
/// coordination, the part of it that was decided ahead; decisions, of these ahead, messages,
/// retries.
using Sums = std::array<double, 7>;

void add(Sums& sums, double iteration_ms, const RankIteration& done) {
    const AgreementCounts& counts = done.agreement;
    const Sums added = {iteration_ms,
                        done.tp_coordination_ms,
                        counts.ahead_ms,
                        static_cast<double>(counts.decisions),
                        static_cast<double>(counts.ahead),
                        static_cast<double>(counts.messages),
                        static_cast<double>(counts.retries)};
    std::ranges::transform(sums, added, sums.begin(), std::plus<>());
}

std::vector<Sums> of_all_ranks(const Runtime& runtime, const Sums& own) {
    std::vector<Sums> all(static_cast<std::size_t>(runtime.ranks()));
    constexpr int count = std::tuple_size_v<Sums>;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgather(own.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, MPI_COMM_WORLD,
                   &request);
    Runtime::wait(request);
    return all;
}

/// Of the rank where coordination took the largest share.
nlohmann::json worst(const std::vector<Sums>& ranks) {
    const Sums& rank =
        *std::ranges::max_element(ranks, {}, [](const Sums& each) { return each[1] / each[0]; });
    const double decisions = std::max(1.0, rank[3]);
    return {{"iteration_ms", rank[0] / iterations},
            {"coordination_percent", 100 * rank[1] / rank[0]},
            {"ahead_coordination_percent", 100 * rank[2] / rank[0]},
            {"ahead_share", rank[4] / decisions},
            {"messages_per_decision", rank[5] / decisions},
            {"retries_per_decision", rank[6] / decisions}};
}

RunnerOptions runner_options(int world_rank, std::optional<AgreementProtocol> protocol) {
    RunnerOptions options;
    const int rank = world_rank / tensor_ranks;
    for (int each = 0; each < pipeline_ranks; ++each) {
        options.world_ranks.push_back(each * tensor_ranks + world_rank % tensor_ranks);
    }
    if (protocol) {
        options.agreement.protocol = protocol;
        for (int member = 0; member < tensor_ranks; ++member) {
            options.agreement.members.push_back(rank * tensor_ranks + member);
        }
    }
    return options;
}

nlohmann::json cost(Runtime& runtime, std::optional<AgreementProtocol> protocol) {
    const Pipeline pipeline{.placement = Placement::loop(pipeline_ranks),
                            .microbatches = microbatches};
    const ScheduleOptions schedule{.arbiter = "bf", .hint = {}, .limits = {32, 32}};
    SyntheticProgram program(
        pipeline, {.times = {.forward_ms = task_ms, .backward_ms = task_ms}, .jitter = {}});
    PipelineRunner runner(runtime, pipeline,
                          make_dispatcher(pipeline, runtime.rank() / tensor_ranks, schedule),
                          make_task_body(program), runner_options(runtime.rank(), protocol));
    Sums sums{};
    for (int i = 0; i < warm_up_iterations + iterations; ++i) {
        const double begin_ms = Runtime::now_ms();
        const RankIteration done = runner.run(static_cast<std::uint64_t>(i));
        if (i >= warm_up_iterations) add(sums, Runtime::now_ms() - begin_ms, done);
    }
    return worst(of_all_ranks(runtime, sums));
}

nlohmann::json measure(Runtime& runtime) {
    nlohmann::json result;
    result["none"] = cost(runtime, std::nullopt);
    for (const auto protocol : {AgreementProtocol::board, AgreementProtocol::allgather}) {
        result[name(protocol)] = cost(runtime, protocol);
    }
    return result;
}

}  // namespace
}  // namespace rrfp

int main() {
    return rrfp::rank_program("agreement_cost", rrfp::pipeline_ranks * rrfp::tensor_ranks,
                              rrfp::measure);
}
