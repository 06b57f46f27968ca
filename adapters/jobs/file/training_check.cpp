#include <stdexcept>

#include "adapters/jobs/file/job_check.h"
#include "adapters/jobs/training/checkpoint.h"

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
}

void check_output(const Job& job, Faults& faults) {
    if (job.output.checkpoint.empty()) {
        constexpr auto what = "needs output.checkpoint, the folder; give one";
        if (job.output.resume) faults.add("output.resume", what);
        if (job.output.checkpoint_every > 0) faults.add("output.checkpoint_every", what);
        return;
    }
    try {
        check_checkpoint(job);
    } catch (const std::runtime_error& error) {
        faults.add("output.checkpoint", "{}", error.what());
    }
}

}  // namespace rrfp
