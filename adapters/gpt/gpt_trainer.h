#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "adapters/autograd/advancing_program.h"
#include "adapters/autograd/autograd_program.h"
#include "adapters/collectives/gradient_reduction.h"
#include "adapters/files/tensor_file.h"
#include "adapters/gpt/gpt_stage.h"
#include "adapters/gpt/layers/parameters.h"
#include "adapters/gpt/optimizer/adamw.h"
#include "adapters/jobs/training/trainer.h"

namespace rrfp {

/// The stages of one pipeline rank of a GPT, or a tensor group's part of them, with their
/// optimizer. Replica d of D with M microbatches trains on microbatches d * M to d * M + M - 1 of
/// the iteration's D * M; an evaluation pass is cut likewise.
class GptTrainer : public Trainer {
  public:
    /// Throws as `make_gpt_trainer`.
    GptTrainer(const Job& job, int rank, const RankGroups& groups = {});

    StageProgram& program() override;
    void begin_iteration(std::uint64_t iteration, bool evaluate) override;
    std::int64_t weight_bytes_high_water() const override {
        return program_.kept_for_weights().bytes_high_water();
    }
    double loss_sum() const override;
    void chunk_finished(int chunk) override;
    void finish_gradients() override;
    double gradient_square_sum() const override { return parameters_.gradient_square_sum(); }
    void optimizer_step(std::uint64_t iteration, double gradient_scale) override;
    std::vector<std::pair<std::string, std::string>> parameter_digests() const override;
    FileIdentity save(const std::string& file,
                      const std::map<std::string, std::string>& notes) const override;
    FileIdentity load(const std::string& file) override;

    std::span<const Parameter> parameters() const { return parameters_.all(); }

  private:
    /// Adds the stages of this rank, chunk by chunk.
    void add_stages(const Job& job, int rank, const RankGroups& groups);
    /// Parameters and moments, as a checkpoint holds them.
    std::vector<NamedTensor> state() const;

    TrainSection train_;
    int evaluation_microbatches_;
    int replica_ = 0;
    ParameterList parameters_;
    AutogradProgram program_;
    std::vector<std::vector<at::Tensor>> buckets_;  // of gradients, by chunk
    std::optional<GradientReduction> reduction_;    // over replicas, where there are several
    std::optional<AdvancingProgram> advancing_;     // with it
    std::unique_ptr<AdamW> optimizer_;
};

}  // namespace rrfp
