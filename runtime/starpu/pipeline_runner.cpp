#include "runtime/starpu/pipeline_runner.h"

#include <algorithm>
#include <exception>
#include <starpu_fxt.h>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "runtime/starpu/agreement/group_agreement.h"
#include "runtime/starpu/decision/policy.h"
#include "runtime/starpu/failing/life_sign.h"
#include "runtime/starpu/iteration/iteration_drive.h"
#include "runtime/starpu/iteration/iteration_engine.h"
#include "runtime/starpu/iteration/stall_report.h"

namespace rrfp {
namespace {

constexpr unsigned initial_context = 0;

/// Undoes on the way out of `run`, failed or not.
class Finally {
  public:
    explicit Finally(std::function<void()> action) : action_(std::move(action)) {}
    ~Finally() { action_(); }
    Finally(const Finally&) = delete;
    Finally& operator=(const Finally&) = delete;

  private:
    std::function<void()> action_;
};

/// The pipeline rank of this process, `world_rank` of `world_ranks` in MPI_COMM_WORLD.
int pipeline_rank(const Pipeline& pipeline, const RunnerOptions& options, int world_rank,
                  int world_ranks) {
    const auto& ranks = options.world_ranks;
    const int highest = ranks.empty() ? pipeline.placement.ranks() - 1 : std::ranges::max(ranks);
    if (highest >= world_ranks) {
        throw std::invalid_argument(fmt::format(
            "the pipeline has ranks up to world rank {}, and MPI_COMM_WORLD has {} ranks; start "
            "the program on {}",
            highest, world_ranks, highest + 1));
    }
    if (!ranks.empty() && ranks.size() != static_cast<std::size_t>(pipeline.placement.ranks())) {
        throw std::invalid_argument(
            fmt::format("{} world ranks are given for the {} ranks of the pipeline; give one for "
                        "each, or none",
                        ranks.size(), pipeline.placement.ranks()));
    }
    const auto found = std::ranges::find(ranks, world_rank);
    const int rank = ranks.empty() ? world_rank : static_cast<int>(found - ranks.begin());
    if (rank >= pipeline.placement.ranks()) {
        throw std::invalid_argument(fmt::format(
            "world rank {} is none of the {} ranks of the pipeline; start the program on "
            "as many ranks, or make a runner on those alone",
            world_rank, pipeline.placement.ranks()));
    }
    return rank;
}

RankIteration summarize(IterationEngine& engine, const RankState& state,
                        const Agreement* agreement) {
    RankIteration result;
    if (agreement != nullptr) {
        result.tp_coordination_ms = agreement->coordination_ms();
        result.agreement = agreement->counts();
    }
    result.tasks = engine.take_records();
    result.arrivals = engine.take_arrivals();
    for (const TaskRecord& record : result.tasks) {
        result.compute_ms += record.end_ms - record.start_ms;
    }
    if (!result.tasks.empty()) {
        const double span = result.tasks.back().end_ms - result.tasks.front().start_ms;
        // The coordination before the first dispatch is not within the span.
        result.blocking_ms = std::max(0.0, span - result.compute_ms - result.tp_coordination_ms);
    }
    result.in_flight_high_water = state.in_flight_high_water();
    result.buffers = engine.buffers();
    return result;
}

}  // namespace

struct PipelineRunner::State {
    State(Runtime& used_runtime, const Pipeline& pipeline,
          std::unique_ptr<Dispatcher> used_dispatcher, TaskBody body, RunnerOptions options)
        : runtime(used_runtime),
          rank(pipeline_rank(pipeline, options, used_runtime.rank(), used_runtime.ranks())),
          dispatcher(std::move(used_dispatcher)),
          arbiter(dispatcher->arbiter().name()),
          agreement(make_group_agreement(options.agreement, *dispatcher)),
          interruption(std::move(options.interruption)),
          engine(pipeline, rank, std::move(body), std::move(options),
                 starpu_fxt_is_enabled() != 0) {
        if (runtime.driven_worker() != nullptr) {
            engine.progress().when_changed([] { wake_worker(initial_context); });
        }
    }

    RankIteration run(std::uint64_t iteration);
    void execute();
    void attach();
    void detach();

    Runtime& runtime;
    int rank;
    std::unique_ptr<Dispatcher> dispatcher;
    std::string arbiter;  // its name, for whom the dispatcher is not to be touched
    std::unique_ptr<GroupAgreement> agreement;
    std::function<void()> interruption;
    IterationEngine engine;
    bool attached = false;
    int exceptions = std::uncaught_exceptions();
};

RankIteration PipelineRunner::State::run(std::uint64_t iteration) {
    life_sign().enter_iteration(iteration);
    const InPhase phase(dispatcher->state().pipeline().forward_only ? Phase::evaluation
                                                                    : Phase::iteration);
    engine.begin(iteration);
    if (agreement) {
        agreement->rules().begin_iteration();
    } else {
        dispatcher->begin_iteration();
    }
    attach();
    {
        runtime.watchdog().watch([this] { return stall_report(engine, initial_context, arbiter); });
        const Finally unwatch([this] { runtime.watchdog().watch(nullptr); });
        execute();
    }
    // After a failure the dispatcher stays, for the tasks that are still to pass it on.
    detach();
    return summarize(engine, dispatcher->state(), agreement ? &agreement->rules() : nullptr);
}

void PipelineRunner::State::execute() {
    if (DrivenWorker* worker = runtime.driven_worker()) {
        drive_iteration(engine, *worker, interruption);
    } else {
        while (const auto microbatch = engine.progress().next()) engine.submit(*microbatch);
    }
}

void PipelineRunner::State::attach() {
    set_dispatcher(
        initial_context, dispatcher.get(),
        [this](const std::exception_ptr& error) {
            engine.failures().arbitration_failed(text_of(error));
        },
        agreement.get());
    attached = true;
}

void PipelineRunner::State::detach() {
    if (std::exchange(attached, false)) set_dispatcher(initial_context, nullptr);
}

PipelineRunner::PipelineRunner(Runtime& runtime, const Pipeline& pipeline,
                               std::unique_ptr<Dispatcher> dispatcher, TaskBody body,
                               RunnerOptions options)
    : state_(std::make_unique<State>(runtime, pipeline, std::move(dispatcher), std::move(body),
                                     std::move(options))) {}

PipelineRunner::~PipelineRunner() {
    // An exception on its way out: the other members do not meet this rank to end an agreement.
    const bool alone = state_->agreement && std::uncaught_exceptions() > state_->exceptions;
    if (state_->engine.progress().idle() && !alone) {
        state_->detach();
    } else {
        static_cast<void>(state_.release());
    }
}

RankIteration PipelineRunner::run(std::uint64_t iteration) { return state_->run(iteration); }

std::optional<AgreementProtocol> PipelineRunner::agreement() const {
    if (!state_->agreement) return std::nullopt;
    return state_->agreement->rules().protocol();
}

}  // namespace rrfp
