#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "adapters/autograd/stage_module.h"
#include "adapters/gpt/gpt_layers.h"
#include "adapters/jobs/training/text_data.h"

namespace rrfp {

/// The two weights of a GPT that may be tied, on its first stage and its last.
inline constexpr const char* embedding_weight = "token_embedding.weight";
inline constexpr const char* head_weight = "head.weight";

/// What every stage of a GPT is made from.
struct GptBuild {
    GptShape shape;
    std::vector<int> layers = {1};  ///< of each stage; `shape.layers` in all
    int microbatch_size = 1;
    std::uint64_t seed = 0;
    double dropout = 0;
    std::shared_ptr<const TextData> text;  ///< for the first and the last stage; others need none
};

/// One stage of a byte-level GPT cut by layer: the first also embeds the tokens and their
/// positions, the last also normalises, maps to the vocabulary and returns the mean cross-entropy.
/// Both draw the microbatch's text by themselves. Between stages goes one activation,
/// [microbatch_size, sequence, hidden].
///
/// Over a tensor group, that of `parameters`, each rank holds its part of every large weight and of
/// the vocabulary; with sequence parallelism also of the sequence between them, and then of the
/// activation that goes between stages. Every rank returns the same loss.
class GptStage : public StageModule {
  public:
    /// Adds the stage's parameters to `parameters`.
    GptStage(const GptBuild& build, int stage, ParameterList& parameters);

    std::vector<at::Tensor> forward(const Microbatch& microbatch,
                                    const std::vector<at::Tensor>& inputs) override;

  private:
    struct Embedding {
        at::Tensor tokens;     // [vocabulary, hidden]; of the vocabulary the group's part
        at::Tensor positions;  // [sequence, hidden]
    };
    struct Head {
        LayerNorm norm;
        ColumnLinear output;
    };

    /// Bytes of every sample from `first` on, [microbatch_size, sequence], int64.
    at::Tensor draw(const Microbatch& microbatch, std::size_t first) const;
    at::Tensor embed(const Microbatch& microbatch) const;
    at::Tensor loss(const at::Tensor& hidden, const Microbatch& microbatch) const;

    GptBuild build_;
    TensorGroup group_;
    Dropout dropout_;
    std::optional<Embedding> embedding_;  // on the first stage
    std::vector<GptBlock> blocks_;
    std::optional<Head> head_;  // on the last stage
};

}  // namespace rrfp
