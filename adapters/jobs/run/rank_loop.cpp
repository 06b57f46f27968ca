#include "adapters/jobs/run/rank_loop.h"

#include <utility>

#include <fmt/format.h>

#include "codelets/worker_call.h"
#include "runtime/starpu/failing/life_sign.h"
#include "runtime/starpu/runtime.h"

namespace rrfp {
namespace {

bool due(int every, int done) { return every > 0 && done % every == 0; }

}  // namespace

RankLoop::RankLoop(const Job& job, const Plan& plan, const RunHooks& hooks, Runtime& runtime)
    : job_(job),
      hooks_(hooks),
      world_(job, runtime.rank()),
      program_(job, hooks, world_),
      checkpoints_(job, hooks, world_.rank(), program_.trainer()),
      runners_(runtime, job, plan, world_, program_),
      replay_(plan),
      record_(runtime.rank()) {}

std::optional<RunResult> RankLoop::run() {
    // Between iterations a rank waits for the others, unless it says what it is at.
    life_sign().enter(Phase::waiting);
    const int first = checkpoints_.resume();
    latest(0);  // to those that wait for its messages, a rank still loading looks like a stall
    for (int iteration = first; iteration < job_.train.iterations; ++iteration) {
        train(iteration);
        const int done = iteration + 1;
        if (due(job_.train.evaluate_every, done)) evaluate(iteration);
        if (due(job_.output.checkpoint_every, done) || done == job_.train.iterations) {
            checkpoints_.save(done);
        }
    }
    judge_order();
    const InPhase phase(Phase::report);
    return record_.gather(job_, program_.trainer());
}

void RankLoop::train(int iteration) {
    Trainer* trainer = program_.trainer();
    if (trainer) {
        const InPhase phase(Phase::between);
        trainer->begin_iteration(iteration, false);
    }
    RankIteration ended = runners_.training().run(iteration);
    if (trainer) trainer->finish_gradients();
    const IterationFacts facts =
        exchange_facts(ended, trainer, world_.layout(), job_.train.microbatches);
    double end_ms = facts.last_task_end_ms;
    if (trainer) {
        step(iteration, facts);
        end_ms = latest(Runtime::now_ms());
    }
    ended.blocking_ms = facts.last_task_end_ms - facts.first_dispatch_ms - ended.compute_ms -
                        ended.tp_coordination_ms;
    replay_.add(iteration, ended);
    record_.add(std::move(ended), trainer, facts, end_ms);
    if (world_.rank() == 0 && hooks_.iteration_ended) {
        hooks_.iteration_ended({.iteration = iteration,
                                .iterations = job_.train.iterations,
                                .result = record_.last()});
    }
    if (replay_.due()) judge_order();
}

void RankLoop::judge_order() {
    const InPhase phase(Phase::between);
    std::optional<ReplayVerdict> verdict = replay_.judge();
    if (!verdict) return;
    if (job_.schedule.guard && verdict->gain_of_fixed() > 0) {
        runners_.follow(*replay_.fixed());
        verdict->switched = true;
    }
    record_.add_replay(verdict);
}

/// The optimizer step. A loss or gradient that is not finite would spoil every parameter: the job
/// stops, or leaves this step out where it was told to continue.
void RankLoop::step(int iteration, const IterationFacts& facts) {
    if (!facts.finite()) {
        if (job_.train.continue_on_nan) return;
        throw RunStopped(fmt::format(
            "iteration {}/{}: the loss is {} and the gradient norm {}: not finite. Lower "
            "train.learning_rate, look at the data, or set train.continue_on_nan = true to "
            "leave such steps out",
            iteration + 1, job_.train.iterations, facts.loss, facts.gradient_norm));
    }
    const InPhase phase(Phase::step);
    const double scale = clip_factor(facts.gradient_norm, job_.train.clip_norm);
    run_on_worker("optimizer", [&] { program_.trainer()->optimizer_step(iteration, scale); });
}

void RankLoop::evaluate(int iteration) {
    Trainer* trainer = program_.trainer();
    if (!trainer) return;
    PipelineRunner& runner = runners_.evaluation();
    trainer->begin_iteration(iteration, true);
    const RankIteration ended = runner.run(iteration);
    const double loss =
        exchange_facts(ended, trainer, world_.layout(), job_.evaluation_microbatches()).loss;
    record_.add_evaluation(loss);
    if (world_.rank() == 0 && hooks_.evaluated) hooks_.evaluated(iteration, loss);
}

}  // namespace rrfp
