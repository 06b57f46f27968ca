// One rank of a gpt job whose trainer fails as told: `failing_job forward 3` throws in the forward
// of microbatch 3 at pipeline rank 2, `failing_job backward 5` in that backward, `failing_job
// weight-gradient 1` in that weight gradient, the backward being split.
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "adapters/jobs/job/job_plan.h"
#include "adapters/jobs/run/rank_run.h"

namespace {

using namespace rrfp;

class FailingTrainer final : public Trainer, private StageProgram {
  public:
    FailingTrainer(int rank, TaskKind kind, int microbatch)
        : rank_(rank), kind_(kind), microbatch_(microbatch) {}

    StageProgram& program() override { return *this; }
    void begin_iteration(std::uint64_t, bool) override {}
    std::int64_t weight_bytes_high_water() const override { return 0; }
    double loss_sum() const override { return 0; }
    void chunk_finished(int) override {}
    void finish_gradients() override {}
    double gradient_square_sum() const override { return 0; }
    void optimizer_step(std::uint64_t, double) override {}
    std::vector<std::pair<std::string, std::string>> parameter_digests() const override {
        return {};
    }
    FileIdentity save(const std::string&,
                      const std::map<std::string, std::string>&) const override {
        return {};
    }
    FileIdentity load(const std::string&) override { return {}; }

  private:
    TensorList forward(const TaskContext& context, const TensorList&) override {
        fail_if_told(context.task);
        return {};
    }
    TensorList backward(const TaskContext& context, const TensorList&, const TensorList&) override {
        fail_if_told(context.task);
        return {};
    }
    void weight_gradient(const TaskContext& context, const TensorList&,
                         const TensorList&) override {
        fail_if_told(context.task);
    }

    void fail_if_told(const Task& task) const {
        if (rank_ == 2 && task.kind == kind_ && task.microbatch == microbatch_) {
            throw std::runtime_error("the activations do not fit the attention mask");
        }
    }

    int rank_;
    TaskKind kind_;
    int microbatch_;
};

}  // namespace

int main(int count, char** words) {
    if (count != 3) {
        return 2;
    }
    const std::map<std::string, TaskKind> kinds = {{"forward", TaskKind::forward},
                                                   {"backward", TaskKind::backward},
                                                   {"weight-gradient", TaskKind::weight_gradient}};
    const TaskKind kind = kinds.at(words[1]);
    const int microbatch = std::atoi(words[2]);
    Job job;
    job.parallel.pipeline = 4;
    job.schedule.split_weight = kind == TaskKind::weight_gradient;
    const RunHooks hooks{.make_trainer = [=](const Job&, int rank, const RankGroups&) {
        return std::make_unique<FailingTrainer>(rank, kind, microbatch);
    }};
    run_rank(job, plan_of(job), hooks);
    return 0;
}
