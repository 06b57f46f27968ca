#include "adapters/jobs/run/rank_checkpoints.h"

#include "adapters/jobs/training/checkpoint.h"
#include "adapters/jobs/training/iteration_end.h"
#include "runtime/starpu/failing/life_sign.h"

namespace rrfp {

int resume(const Job& job, int world_rank, Trainer* trainer) {
    if (!trainer) return 0;
    const InPhase phase(Phase::loading);
    const std::optional<Checkpoint> found = check_checkpoint(job);
    return found ? static_cast<int>(trainer->load(found->file(world_rank))) : 0;
}

void save(const Job& job, int world_rank, const Trainer* trainer, int done) {
    if (!trainer || job.output.checkpoint.empty()) return;
    {
        const InPhase phase(Phase::checkpoint);
        trainer->save(checkpoint_file(job.output.checkpoint, done, world_rank), done);
    }
    latest(0);  // every rank's file is whole before the manifest says so
    if (world_rank != 0) return;
    const InPhase phase(Phase::checkpoint);
    commit_checkpoint(job, done);
}

}  // namespace rrfp
