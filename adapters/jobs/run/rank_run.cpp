#include "adapters/jobs/run/rank_run.h"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "adapters/collectives/world.h"
#include "adapters/jobs/job/job_agreement.h"
#include "adapters/jobs/report/rank_summary.h"
#include "adapters/jobs/run/rank_program.h"
#include "adapters/jobs/run/rank_world.h"
#include "adapters/jobs/training/checkpoint.h"
#include "adapters/jobs/training/iteration_end.h"
#include "adapters/jobs/training/parameter_hash.h"
#include "codelets/task_body.h"
#include "codelets/worker_call.h"
#include "runtime/core/submission_window.h"
#include "runtime/starpu/pipeline_runner.h"
#include "runtime/starpu/runtime.h"

namespace rrfp {
namespace {

Waiting waiting_of(const std::string& word) {
    static const std::map<std::string, Waiting> words = {{"auto", Waiting::automatic},
                                                         {"doorbell", Waiting::doorbell},
                                                         {"nap", Waiting::nap},
                                                         {"spin", Waiting::spin}};
    return words.at(word);
}

RuntimeOptions runtime_options(const Job& job, const RunHooks& hooks) {
    return {.waiting = waiting_of(job.schedule.waiting),
            .watchdog_seconds = job.watchdog_seconds,
            .trace_folder = hooks.trace_folder};
}

/// One rank's run from the first iteration to the last.
class RankRun {
  public:
    RankRun(const Job& job, const RunHooks& hooks, Runtime& runtime)
        : job_(job),
          hooks_(hooks),
          runtime_(runtime),
          world_(job, runtime.rank()),
          program_(job, hooks, world_),
          training_(make_runner(job.pipeline(), job.schedule_options())),
          summary_(runtime.rank()) {}

    std::optional<RunResult> run() {
        const int first = resume();
        latest(0);  // to those that wait for its messages, a rank still loading looks like a stall
        for (int iteration = first; iteration < job_.train.iterations; ++iteration) {
            train(iteration);
            const int done = iteration + 1;
            if (due(job_.train.evaluate_every, done)) {
                evaluate(iteration);
            }
            if (due(job_.output.checkpoint_every, done) || done == job_.train.iterations) {
                save(done);
            }
        }
        return gather_result();
    }

  private:
    static bool due(int every, int done) { return every > 0 && done % every == 0; }

    std::unique_ptr<PipelineRunner> make_runner(const Pipeline& pipeline,
                                                const ScheduleOptions& options) {
        RunnerOptions runner{.window = submission_window(pipeline, options),
                             .world_ranks = world_.layout().pipeline_group(world_.rank()),
                             .agreement = agreement_of(job_, world_.rank())};
        if (job_.jitter.comm_mean_ms > 0) {
            runner.message_delay = [jitter = message_jitter(job_, world_.place())](
                                       std::uint64_t iteration, const Task& producer) {
                return jitter.message_delay_ms(iteration, producer);
            };
        }
        if (Trainer* trainer = program_.trainer()) {
            runner.chunk_finished = [trainer](int chunk) { trainer->chunk_finished(chunk); };
        }
        return std::make_unique<PipelineRunner>(
            runtime_, pipeline, make_dispatcher(pipeline, world_.place().pipeline, options),
            make_task_body(program_.stages()), std::move(runner));
    }

    void train(int iteration) {
        Trainer* trainer = program_.trainer();
        if (trainer) {
            trainer->begin_iteration(iteration, false);
        }
        RankIteration ended = training_->run(iteration);
        if (trainer) {
            trainer->finish_gradients();
        }
        const IterationFacts facts =
            exchange_facts(ended, trainer, world_.layout(), job_.train.microbatches);
        const auto trained = [trainer](double value) {
            return trainer ? std::optional(value) : std::nullopt;
        };
        double end_ms = facts.last_task_end_ms;
        if (trainer) {
            step(iteration, facts);
            end_ms = latest(Runtime::now_ms());
        }
        ended.blocking_ms = facts.last_task_end_ms - facts.first_dispatch_ms - ended.compute_ms -
                            ended.tp_coordination_ms;
        summary_.add(std::move(ended), trainer ? trainer->weight_bytes_high_water() : 0);
        iterations_.push_back({.milliseconds = end_ms - facts.first_dispatch_ms,
                               .loss = trained(facts.loss),
                               .gradient_norm = trained(facts.gradient_norm)});
        if (runtime_.rank() == 0 && hooks_.iteration_ended) {
            hooks_.iteration_ended({.iteration = iteration,
                                    .iterations = job_.train.iterations,
                                    .result = iterations_.back()});
        }
    }

    /// The optimizer step. A loss or gradient that is not finite would spoil every parameter: the
    /// job stops, or leaves this step out where it was told to continue.
    void step(int iteration, const IterationFacts& facts) {
        if (!facts.finite()) {
            if (job_.train.continue_on_nan) {
                return;
            }
            throw RunStopped(fmt::format(
                "iteration {}/{}: the loss is {} and the gradient norm {}: not finite. Lower "
                "train.learning_rate, look at the data, or set train.continue_on_nan = true to "
                "leave such steps out",
                iteration + 1, job_.train.iterations, facts.loss, facts.gradient_norm));
        }
        const double scale = clip_factor(facts.gradient_norm, job_.train.clip_norm);
        run_on_worker("optimizer", [&] { program_.trainer()->optimizer_step(iteration, scale); });
    }

    void evaluate(int iteration) {
        Trainer* trainer = program_.trainer();
        if (!trainer) {
            return;
        }
        if (!evaluation_) {
            ScheduleOptions options = job_.schedule_options();
            options.arbiter = "bf";  // forwards alone: every arbiter comes to the same
            options.hint.clear();
            options.admission = AdmissionRule::drain;
            evaluation_ = make_runner(evaluation_pipeline(), options);
        }
        trainer->begin_iteration(iteration, true);
        const RankIteration ended = evaluation_->run(iteration);
        const double loss =
            exchange_facts(ended, trainer, world_.layout(), evaluation_pipeline().microbatches)
                .loss;
        evaluations_.emplace_back(loss);
        if (runtime_.rank() == 0 && hooks_.evaluated) {
            hooks_.evaluated(iteration, loss);
        }
    }

    Pipeline evaluation_pipeline() const {
        Pipeline pipeline = job_.pipeline();
        pipeline.forward_only = true;
        if (job_.train.evaluation_microbatches > 0) {
            pipeline.microbatches = job_.train.evaluation_microbatches;
        }
        return pipeline;
    }

    /// The number of iterations that a checkpoint has done already.
    int resume() {
        if (!program_.trainer()) {
            return 0;
        }
        const std::optional<Checkpoint> found = check_checkpoint(job_);
        return found ? static_cast<int>(program_.trainer()->load(found->file(world_.rank()))) : 0;
    }

    void save(int done) {
        if (!program_.trainer() || job_.output.checkpoint.empty()) {
            return;
        }
        program_.trainer()->save(checkpoint_file(job_.output.checkpoint, done, world_.rank()),
                                 done);
        latest(0);  // every rank's file is whole before the manifest says so
        if (runtime_.rank() == 0) {
            commit_checkpoint(job_, done);
        }
    }

    std::optional<RunResult> gather_result() {
        const std::string hash = gather_parameter_hash(program_.trainer());
        const std::vector<std::string> summaries = gather(serialise(summary_.summary()));
        if (runtime_.rank() != 0) {
            return std::nullopt;
        }
        RunResult result{.job = job_,
                         .iterations = iterations_,
                         .parameters_sha256 = hash,
                         .evaluations = evaluations_};
        std::ranges::transform(summaries, std::back_inserter(result.ranks), deserialise);
        return result;
    }

    const Job& job_;
    const RunHooks& hooks_;
    Runtime& runtime_;
    RankWorld world_;
    RankProgram program_;
    std::unique_ptr<PipelineRunner> training_;
    std::unique_ptr<PipelineRunner> evaluation_;
    RankSummaryBuilder summary_;
    std::vector<IterationResult> iterations_;
    std::vector<std::optional<double>> evaluations_;
};

}  // namespace

std::optional<RunResult> run_rank(const Job& job, const RunHooks& hooks) {
    std::exception_ptr stopped;
    std::optional<RunResult> result;
    {
        Runtime runtime(runtime_options(job, hooks));
        // Outlives the handlers: after a failure the worker may still be in one of its tasks.
        std::optional<RankRun> run;
        try {
            run.emplace(job, hooks, runtime);
            result = run->run();
        } catch (const RunStopped&) {
            // Every rank knows: an orderly end. Left to fly, it would abort the job in ~Runtime.
            stopped = std::current_exception();
        } catch (const std::exception& error) {
            // The peers wait for this rank's messages and would wait for ever.
            runtime.abort(1, error.what());
        }
    }
    if (stopped) {
        std::rethrow_exception(stopped);
    }
    return result;
}

}  // namespace rrfp
