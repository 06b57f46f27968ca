#include "tests/gpt/serial_gpt.h"

#include <cmath>
#include <limits>

#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/GradMode.h>

#include "adapters/jobs/training/text_data.h"

namespace rrfp::test {
namespace {

class Model {
  public:
    Model(const Job& job, const std::map<std::string, at::Tensor>& parameters) : job_(job) {
        for (const auto& [name, value] : parameters) {
            weights_[name] = value.detach().to(at::kDouble).requires_grad_(true);
        }
        if (job.model.tied_embeddings)
            weights_.at("head.weight") = (*this)["token_embedding.weight"];
    }

    const at::Tensor& operator[](const std::string& name) const { return weights_.at(name); }
    const std::map<std::string, at::Tensor>& weights() const { return weights_; }

    at::Tensor linear(const at::Tensor& x, const std::string& name) const {
        return x.matmul((*this)[name + ".weight"].t()).add((*this)[name + ".bias"]);
    }

    at::Tensor norm(const at::Tensor& x, const std::string& name) const {
        const at::Tensor centred = x.sub(x.mean(-1, true));
        const at::Tensor variance = centred.square().mean(-1, true);
        return centred.div(variance.add(1e-5).sqrt())
            .mul((*this)[name + ".weight"])
            .add((*this)[name + ".bias"]);
    }

    /// One sample's block, x: [sequence, hidden]. Heads one by one.
    at::Tensor block(const at::Tensor& x, const std::string& name) const {
        const std::int64_t hidden = job_.model.hidden;
        const std::int64_t width = hidden / job_.model.heads;
        const at::Tensor qkv = linear(norm(x, name + ".attention_norm"), name + ".attention.qkv");
        const at::Tensor projection = (*this)[name + ".attention.projection.weight"];
        const at::Tensor future = at::ones({x.size(0), x.size(0)}, at::kBool).triu(1);
        at::Tensor sum = x.add((*this)[name + ".attention.projection.bias"]);
        for (std::int64_t head = 0; head < job_.model.heads; ++head) {
            const at::Tensor query = qkv.narrow(1, head * width, width);
            const at::Tensor key = qkv.narrow(1, hidden + head * width, width);
            const at::Tensor value = qkv.narrow(1, 2 * hidden + head * width, width);
            const at::Tensor scores = query.matmul(key.t()).div(std::sqrt(double(width)));
            const at::Tensor weights =
                scores.masked_fill(future, -std::numeric_limits<double>::infinity()).softmax(-1);
            sum = sum.add(
                weights.matmul(value).matmul(projection.narrow(1, head * width, width).t()));
        }
        const at::Tensor up = linear(norm(sum, name + ".mlp_norm"), name + ".mlp.up");
        const at::Tensor gelu = up.mul(0.5).mul(up.div(std::sqrt(2.0)).erf().add(1));
        return sum.add(linear(gelu, name + ".mlp.down"));
    }

    /// Mean loss of one sample; window: [sequence + 1], int64.
    at::Tensor loss(const at::Tensor& window) const {
        const std::int64_t sequence = job_.model.sequence;
        at::Tensor x = (*this)["token_embedding.weight"]
                           .index_select(0, window.narrow(0, 0, sequence))
                           .add((*this)["position_embedding.weight"]);
        for (int layer = 0; layer < job_.model.layers; ++layer) {
            x = block(x, "blocks." + std::to_string(layer));
        }
        const at::Tensor logits = norm(x, "final_norm").matmul((*this)["head.weight"].t());
        const at::Tensor target = window.narrow(0, 1, sequence).unsqueeze(1);
        return logits.log_softmax(-1).gather(1, target).mean().neg();
    }

  private:
    const Job& job_;
    std::map<std::string, at::Tensor> weights_;
};

}  // namespace

SerialGpt serial_gpt(const Job& job, const std::map<std::string, at::Tensor>& parameters,
                     std::uint64_t iteration) {
    const c10::AutoGradMode with_graph(true);
    const TextData text(job.data.text, job.data.validation_fraction, job.model.sequence);
    const Model model(job, parameters);
    at::Tensor sum = at::scalar_tensor(0.0, at::kDouble);
    int samples = 0;
    for (int m = 0; m < job.train.microbatches; ++m) {
        for (int s = 0; s < job.train.microbatch_size; ++s, ++samples) {
            const auto bytes = text.train({job.train.seed, iteration, static_cast<std::uint64_t>(m),
                                           static_cast<std::uint64_t>(s)});
            const at::Tensor window = at::empty({job.model.sequence + 1}, at::kLong);
            std::copy(bytes.begin(), bytes.end(), window.mutable_data_ptr<std::int64_t>());
            sum = sum.add(model.loss(window));
        }
    }
    const at::Tensor loss = sum.div(samples);
    loss.backward();
    SerialGpt result{.loss = loss.item<double>(), .gradients = {}};
    for (const auto& [name, value] : model.weights()) result.gradients[name] = value.grad();
    return result;
}

}  // namespace rrfp::test
