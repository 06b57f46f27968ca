#include "megatron_bridge/native/python_runner.h"

#include <algorithm>
#include <utility>

#include "adapters/collectives/confirm.h"
#include "megatron_bridge/native/python_arbiter.h"
#include "megatron_bridge/native/python_error.h"
#include "megatron_bridge/native/tensors.h"

namespace rrfp::python {
namespace {

namespace nb = nanobind;

/// Calls `body(kind, stage, microbatch, iteration, inputs, gradients)`. It is the runner's, which
/// outlives the tasks that call it.
TaskBody task_body(nb::handle body) {
    return [body](const Task& task, std::uint64_t iteration, const TensorList& inputs,
                  const TensorList& gradients) {
        return with_python([&] {
            const char kind = letter(task.kind);
            return from_capsules(body(nb::str(&kind, 1), task.stage, task.microbatch, iteration,
                                      to_capsules(inputs), to_capsules(gradients)));
        });
    };
}

/// `board` is meant here: a tensor group that spans nodes is refused, not served otherwise.
AgreementOptions agreement_of(const RunnerSetup& setup) {
    const PlannedAgreement& planned = setup.plan->agreement;
    return {.members = setup.members,
            .protocol = planned.protocol == "allgather" ? AgreementProtocol::allgather
                                                        : AgreementProtocol::board,
            .local_choice = planned.local_choice};
}

void confirm(const Plan& plan) {
    const nb::gil_scoped_release unlocked;
    confirm_alike(shared_facts(plan));
}

void look_for_signals() {
    with_python([] {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
}

std::unique_ptr<Dispatcher> dispatcher_of(const RunnerSetup& setup, int rank,
                                          std::shared_ptr<std::exception_ptr> error) {
    const Pipeline& pipeline = setup.plan->pipeline;
    const ScheduleOptions schedule = loaded_schedule(setup.plan);
    if (setup.arbiter.is_none()) return make_dispatcher(pipeline, rank, schedule);
    return make_dispatcher(pipeline, rank, schedule,
                           std::make_unique<PythonArbiter>(setup.arbiter, std::move(error)));
}

/// Raises the exception of a task of this rank, with a note on which task it was.
void raise_own(const TaskFailure& failure) {
    try {
        if (failure.cause()) std::rethrow_exception(failure.cause());
    } catch (PythonError& cause) {
        const nb::object value = nb::borrow(cause.error().value());
        if (nb::hasattr(value, "add_note")) value.attr("add_note")(failure.what());
        throw nb::python_error(cause.error());
    } catch (const std::exception&) {
        // Of another rank, or of the runtime: its text is in the failure's.
    }
}

}  // namespace

PythonRunner::PythonRunner(PythonRuntime& runtime, RunnerSetup setup)
    : arbiter_(setup.plan->schedule.arbiter),
      limits_(setup.plan->schedule.limits),
      arbiter_error_(std::make_shared<std::exception_ptr>()),
      body_(setup.body) {
    confirm(setup.plan);
    const int world_rank = runtime.get().rank();
    const auto found = std::ranges::find(setup.world_ranks, world_rank);
    if (found == setup.world_ranks.end()) {
        throw std::invalid_argument("rank " + std::to_string(world_rank) +
                                    " is none of the pipeline's world ranks");
    }
    const auto rank = static_cast<int>(found - setup.world_ranks.begin());
    auto dispatcher = dispatcher_of(setup, rank, arbiter_error_);
    runner_ = std::make_unique<PipelineRunner>(
        runtime.get(), setup.plan->pipeline, std::move(dispatcher), task_body(body_),
        RunnerOptions{.window = setup.plan->window,
                      .world_ranks = std::move(setup.world_ranks),
                      .agreement = agreement_of(setup),
                      .interruption = look_for_signals});
}

PythonRunner::~PythonRunner() {
    const nb::gil_scoped_release unlocked;
    runner_.reset();
}

RankIteration PythonRunner::run(std::uint64_t iteration) {
    try {
        const nb::gil_scoped_release unlocked;
        return runner_->run(iteration);
    } catch (const TaskFailure& failure) {
        raise_own(failure);
        throw;
    } catch (PythonError& interruption) {
        throw nb::python_error(interruption.error());
    } catch (const std::exception&) {
        if (!*arbiter_error_) throw;
        try {
            std::rethrow_exception(*arbiter_error_);
        } catch (PythonError& cause) {
            throw nb::python_error(cause.error());
        }
    }
}

}  // namespace rrfp::python
