#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "adapters/plan/plan.h"
#include "megatron_bridge/native/runtime_binding.h"
#include "runtime/starpu/pipeline_runner.h"

namespace rrfp::python {

/// What a runner is made of, as Python says it.
struct RunnerSetup {
    Plan plan;
    std::vector<int> world_ranks;
    std::vector<int> members;  ///< who must run tasks in this rank's order; none = nobody
    nanobind::object body;
    /// Replaces the arbiter that the plan names, where it is callable.
    nanobind::object arbiter;
};

/// A PipelineRunner whose tasks are one Python callable. The GIL is held while that runs, and
/// released for the rest of an iteration, in which signals are looked for every 20 ms.
class PythonRunner {
  public:
    /// Collective over all ranks, which must have come to one plan: RanksDiffer otherwise.
    PythonRunner(PythonRuntime& runtime, RunnerSetup setup);
    ~PythonRunner();
    PythonRunner(const PythonRunner&) = delete;
    PythonRunner& operator=(const PythonRunner&) = delete;

    /// Throws the Python exception of a task or an arbiter of this rank, or what a signal handler
    /// raised, as it was raised; TaskFailure for a task of another rank. Needs the GIL.
    RankIteration run(std::uint64_t iteration);

    /// The name of the arbiter that decides, `python` for a function.
    const std::string& arbiter() const { return arbiter_; }
    /// The limit in force at each pipeline rank.
    const std::vector<int>& limits() const { return limits_; }

  private:
    std::string arbiter_;
    std::vector<int> limits_;
    std::shared_ptr<std::exception_ptr> arbiter_error_;
    nanobind::object body_;
    std::unique_ptr<PipelineRunner> runner_;
};

}  // namespace rrfp::python
