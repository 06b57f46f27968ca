#include "adapters/jobs/run/rank_runners.h"

#include <utility>

#include "codelets/task_body.h"
#include "runtime/core/submission_window.h"

namespace rrfp {

RankRunners::RankRunners(Runtime& runtime, const Job& job, const Plan& plan, const RankWorld& world,
                         RankProgram& program)
    : runtime_(runtime),
      job_(job),
      plan_(plan),
      world_(world),
      program_(program),
      training_(make(plan->pipeline, loaded_schedule(plan), plan->window)) {}

void RankRunners::follow(const ScheduleOptions& schedule) {
    training_.reset();  // its agreement ends before another begins
    training_ = make(plan_->pipeline, schedule, submission_window(plan_->pipeline, schedule));
}

PipelineRunner& RankRunners::evaluation() {
    if (!evaluation_) {
        Pipeline pipeline = plan_->pipeline;
        pipeline.forward_only = true;
        pipeline.microbatches = job_.evaluation_microbatches();
        ScheduleOptions schedule = plan_->schedule;
        schedule.arbiter = "bf";  // forwards alone: every arbiter comes to the same
        schedule.hint.clear();
        schedule.admission = AdmissionRule::drain;
        evaluation_ = make(pipeline, schedule, submission_window(pipeline, schedule));
    }
    return *evaluation_;
}

std::unique_ptr<PipelineRunner> RankRunners::make(const Pipeline& pipeline,
                                                  const ScheduleOptions& schedule,
                                                  int window) const {
    RunnerOptions options{.window = window,
                          .world_ranks = world_.layout().pipeline_group(world_.rank()),
                          .agreement = agreement_of(*plan_, world_.rank())};
    if (plan_->jitter.comm_mean_ms > 0) {
        options.message_delay = [jitter = message_jitter(job_, world_.place())](
                                    std::uint64_t iteration, const Task& producer) {
            return jitter.message_delay_ms(iteration, producer);
        };
    }
    if (Trainer* trainer = program_.trainer()) {
        options.chunk_finished = [trainer](int chunk) { trainer->chunk_finished(chunk); };
    }
    return std::make_unique<PipelineRunner>(
        runtime_, pipeline, make_dispatcher(pipeline, world_.place().pipeline, schedule),
        make_task_body(program_.stages()), std::move(options));
}

}  // namespace rrfp
