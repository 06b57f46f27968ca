#include "adapters/jobs/run/rank_program.h"

#include <stdexcept>

#include "codelets/jittered_program.h"
#include "codelets/synthetic_program.h"

namespace rrfp {

RankProgram::RankProgram(const Job& job, const RunHooks& hooks, const RankWorld& world) {
    const Jitter jitter = task_jitter(job, world.place());
    if (job.synthetic()) {
        own_ = std::make_unique<SyntheticProgram>(
            job.pipeline(), SyntheticOptions{.times = job.stage_times(),
                                             .jitter = jitter,
                                             .sleep = job.model.sleep,
                                             .message_bytes = job.model.message_bytes});
        stages_ = own_.get();
        return;
    }
    if (!hooks.make_trainer) {
        throw std::logic_error("a job with model.kind = \"gpt\" needs RunHooks::make_trainer");
    }
    trainer_ = hooks.make_trainer(job, world.place().pipeline, world.groups());
    stages_ = &trainer_->program();
    if (job.stretches_tasks()) {
        own_ = std::make_unique<JitteredProgram>(*stages_, jitter, job.stage_times(),
                                                 job.schedule.split_weight);
        stages_ = own_.get();
    }
}

}  // namespace rrfp
