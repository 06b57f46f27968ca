#include "adapters/torch/gpt_stage.h"

#include <algorithm>

#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>

namespace rrfp {
namespace {

constexpr double weight_deviation = 0.02;

}  // namespace

GptStage::GptStage(const GptBuild& build, int stage, ParameterList& parameters)
    : build_(build), dropout_(build.dropout, build.seed) {
    const GptShape& shape = build.shape;
    if (stage == 0) {
        embedding_ = {
            .tokens = parameters.normal("token_embedding.weight", {shape.vocabulary, shape.hidden},
                                        weight_deviation),
            .positions = parameters.normal("position_embedding.weight",
                                           {shape.sequence, shape.hidden}, weight_deviation)};
    }
    const int layers = shape.layers / build.stages;
    for (int i = 0; i < layers; ++i) blocks_.emplace_back(parameters, shape, stage * layers + i);
    if (stage == build.stages - 1) {
        head_ = {.norm = LayerNorm(parameters, "final_norm", shape.hidden),
                 .output = Linear(parameters, "head", shape.hidden, shape.vocabulary,
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
    const at::Tensor tokens = at::embedding(embedding_->tokens, draw(microbatch, 0));
    return dropout_(at::add(tokens, embedding_->positions), microbatch, "embedding");
}

at::Tensor GptStage::loss(const at::Tensor& hidden, const Microbatch& microbatch) const {
    const at::Tensor logits = head_->output(head_->norm(hidden));
    return at::cross_entropy_loss(logits.flatten(0, 1), draw(microbatch, 1).flatten());
}

}  // namespace rrfp
