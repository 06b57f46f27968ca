#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "adapters/gpt/gpt_trainer.h"
#include "adapters/jobs/job/job.h"
#include "runtime/core/task.h"
#include "tests/gpt/thread_pair.h"

namespace rrfp::test {

/// A small GPT job over `pipeline` ranks, with a text of its own.
Job small_job(int pipeline);

/// All tasks of an iteration in an order that some pipeline could run them in.
std::vector<Task> gpipe_order(int stages, int microbatches);
/// Each microbatch goes forward and back before the next begins.
std::vector<Task> depth_first_order(int stages, int microbatches);
/// A random order that respects who reads whose result; with `ordered_backwards` each stage's
/// backwards are in microbatch order besides.
std::vector<Task> random_order(int stages, int microbatches, std::uint64_t seed,
                               bool ordered_backwards);

/// The same order with its backwards split: each weight gradient at once after its backward, or all
/// in the end, stage by stage in microbatch order.
enum class WeightOrder { at_once, last };
std::vector<Task> split(const std::vector<Task>& order, WeightOrder weights);

/// The ranks of a job in one process: a plain loop moves tensors between their programs.
class GptPipeline {
  public:
    /// `tensor_group`: this process then holds its part of every layer; see Trainer. `replicas`: it
    /// is one of them.
    explicit GptPipeline(const Job& job, Collectives* tensor_group = nullptr,
                         Collectives* replicas = nullptr);

    /// The tasks of one iteration in `order`, with no optimizer step.
    void compute(const std::vector<Task>& order, std::uint64_t iteration);
    /// The forwards of `microbatches` validation microbatches.
    void evaluate(int microbatches);
    /// The optimizer step of every rank, gradients clipped by the norm over all ranks.
    void step(std::uint64_t iteration);

    /// Over the microbatches of this replica.
    double loss() const;
    /// By name: values, and gradients as the last `compute` left them. Shared with the model. Over
    /// a tensor group, joined and not shared.
    std::map<std::string, at::Tensor> parameters() const;
    std::map<std::string, at::Tensor> gradients() const;
    std::vector<std::pair<std::string, std::string>> digests() const;
    GptTrainer& rank(int rank) { return *ranks_[rank]; }
    int ranks() const { return static_cast<int>(ranks_.size()); }

  private:
    StageProgram& program(int stage);
    /// The groups of `rank`, as RankGroups says.
    RankGroups groups(int rank, Collectives* replicas);
    /// Of every rank; those that share a weight in threads, since they wait for one another.
    void finish_gradients();
    at::Tensor whole(const at::Tensor& part, const std::optional<Cut>& cut) const;

    Job job_;
    Collectives* tensor_group_;
    Placement placement_;
    std::unique_ptr<ThreadPair> tied_;  // the first stage's rank and the last's, where they are two
    std::vector<std::unique_ptr<GptTrainer>> ranks_;
};

}  // namespace rrfp::test
