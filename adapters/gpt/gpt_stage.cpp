#include "adapters/gpt/gpt_stage.h"

#include <algorithm>
#include <numeric>

#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>

#include "adapters/gpt/layers/vocabulary_parallel.h"

namespace rrfp {
namespace {

constexpr double weight_deviation = 0.02;

}  // namespace

GptStage::GptStage(const GptBuild& build, int stage, ParameterList& parameters)
    : build_(build), group_(parameters.group()), dropout_(build.dropout, build.seed, group_) {
    const GptShape& shape = build.shape;
    if (stage == 0) {
        embedding_ = {
            .tokens = parameters.normal(embedding_weight, {shape.vocabulary, shape.hidden},
                                        weight_deviation, Cut{.dimension = 0}),
            .positions = parameters.normal("position_embedding.weight",
                                           {shape.sequence, shape.hidden}, weight_deviation)};
    }
    const auto own = build.layers.begin() + stage;
    const int first = std::accumulate(build.layers.begin(), own, 0);
    for (int i = 0; i < *own; ++i) blocks_.emplace_back(parameters, shape, first + i);
    if (own + 1 == build.layers.end()) {
        head_ = {.norm = LayerNorm(parameters, "final_norm", shape.hidden),
                 .output = ColumnLinear(parameters, "head", {shape.hidden, shape.vocabulary},
                                        weight_deviation, /*bias=*/false)};
    }
}

std::vector<at::Tensor> GptStage::forward(const Microbatch& microbatch,
                                          const std::vector<at::Tensor>& inputs) {
    at::Tensor hidden = embedding_ ? embed(microbatch) : inputs.at(0);
    for (const GptBlock& block : blocks_) hidden = block(hidden, microbatch, dropout_);
    return {head_ ? loss(hidden, microbatch) : hidden};
}

at::Tensor GptStage::draw(const Microbatch& microbatch, std::size_t first) const {
    const std::int64_t sequence = build_.shape.sequence;
    const at::Tensor tokens = at::empty({build_.microbatch_size, sequence}, at::kLong);
    std::int64_t* place = tokens.mutable_data_ptr<std::int64_t>();
    for (int sample = 0; sample < build_.microbatch_size; ++sample) {
        const SampleKey key{.seed = build_.seed,
                            .iteration = microbatch.iteration,
                            .microbatch = static_cast<std::uint64_t>(microbatch.index),
                            .sample = static_cast<std::uint64_t>(sample)};
        const auto window =
            microbatch.evaluate ? build_.text->validation(key) : build_.text->train(key);
        place = std::ranges::copy(window.subspan(first, sequence), place).out;
    }
    return tokens;
}

at::Tensor GptStage::embed(const Microbatch& microbatch) const {
    const at::Tensor tokens = embed_tokens(embedding_->tokens, draw(microbatch, 0), group_);
    const at::Tensor positions = group_.own_positions(embedding_->positions, 0);
    return dropout_(at::add(tokens, positions), microbatch, "embedding");
}

at::Tensor GptStage::loss(const at::Tensor& hidden, const Microbatch& microbatch) const {
    const at::Tensor logits = head_->output(head_->norm(hidden));
    return cross_entropy(logits.flatten(0, 1), draw(microbatch, 1).flatten(), group_);
}

}  // namespace rrfp
