// Trains nothing, but runs a pipeline for real: one number a message, one multiplication a stage.
// Start it with mpirun, one process a stage.

#include <cstdio>
#include <exception>
#include <vector>

#include "codelets/task_body.h"
#include "runtime/core/schedule_options.h"
#include "runtime/core/submission_window.h"
#include "runtime/starpu/pipeline_runner.h"

namespace {

rrfp::Tensor number(double value) {
    const std::vector<std::int64_t> shape = {1};
    auto tensor = rrfp::Tensor::allocate({kDLFloat, 64, 1}, shape);
    *static_cast<double*>(tensor.data()) = value;
    return tensor;
}

double value_of(const rrfp::Tensor& tensor) { return *static_cast<const double*>(tensor.data()); }

/// Stage s computes y = (s + 2) x. The model's output is the loss, the first input of microbatch m
/// is m + 1.
class Multiply final : public rrfp::StageProgram {
  public:
    Multiply(int stage, int stages) : weight_(stage + 2), last_(stage == stages - 1) {}

    rrfp::TensorList forward(const rrfp::TaskContext& context,
                             const rrfp::TensorList& inputs) override {
        return {number(weight_ * input(context, inputs))};
    }
    rrfp::TensorList backward(const rrfp::TaskContext& context, const rrfp::TensorList& inputs,
                              const rrfp::TensorList& gradients) override {
        const double gradient = last_ ? 1 : value_of(gradients.at(0));
        weight_gradient_ += gradient * input(context, inputs);
        return {number(gradient * weight_)};
    }
    void weight_gradient(const rrfp::TaskContext&, const rrfp::TensorList&,
                         const rrfp::TensorList&) override {}

    double accumulated() const { return weight_gradient_; }

  private:
    static double input(const rrfp::TaskContext& context, const rrfp::TensorList& inputs) {
        return inputs.empty() ? context.task.microbatch + 1 : value_of(inputs.at(0));
    }

    double weight_;
    bool last_;
    double weight_gradient_ = 0;
};

void run(rrfp::Runtime& runtime) {
    const int ranks = runtime.ranks();
    const rrfp::Pipeline pipeline{.placement = rrfp::Placement::loop(ranks), .microbatches = 4};
    const rrfp::ScheduleOptions options{.arbiter = "bf", .limits = std::vector<int>(ranks, 4)};
    rrfp::validate(pipeline, options);

    Multiply program(runtime.rank(), ranks);
    rrfp::PipelineRunner runner(
        runtime, pipeline, rrfp::make_dispatcher(pipeline, runtime.rank(), options),
        rrfp::make_task_body(program), {.window = rrfp::submission_window(pipeline, options)});
    const rrfp::RankIteration done = runner.run(/*iteration=*/0);
    std::printf("stage %d ran %zu tasks, weight gradient %g\n", runtime.rank(), done.tasks.size(),
                program.accumulated());
}

}  // namespace

int main() {
    rrfp::Runtime runtime({});
    try {
        run(runtime);
    } catch (const std::exception& error) {
        runtime.abort(1, error.what());
    }
}
