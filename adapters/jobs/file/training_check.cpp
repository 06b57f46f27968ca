#include "adapters/jobs/file/job_check.h"

namespace rrfp {

void check_training(const Job& job, Faults& faults) {
    const TrainSection& train = job.train;
    if (train.min_learning_rate > train.learning_rate) {
        faults.add("train.min_learning_rate",
                   "is above train.learning_rate = {}; the rate decays towards it, so lower it",
                   train.learning_rate);
    }
    if (train.evaluate_every > 0 && !job.synthetic() && job.data.validation_fraction == 0) {
        faults.add("data.validation_fraction",
                   "leaves nothing to evaluate on, but train.evaluate_every = {}; raise it, or set "
                   "evaluate_every = 0",
                   train.evaluate_every);
    }
    if (train.evaluation_microbatches % job.parallel.data != 0) {
        faults.add("train.evaluation_microbatches",
                   "cannot be shared out evenly among parallel.data = {} replicas; make it a "
                   "multiple of {}",
                   job.parallel.data, job.parallel.data);
    }
}

void check_output(const Job& job, Faults& faults) {
    const OutputSection& output = job.output;
    if (output.resume_changed && !output.resume) {
        faults.add("output.resume_changed", "is of a job that resumes; set output.resume = true");
    }
    if (!output.checkpoint.empty()) return;
    constexpr auto what = "needs output.checkpoint, the folder; give one";
    if (output.resume) faults.add("output.resume", what);
    if (output.checkpoint_every > 0) faults.add("output.checkpoint_every", what);
}

}  // namespace rrfp
