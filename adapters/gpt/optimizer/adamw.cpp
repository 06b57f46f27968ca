#include "adapters/gpt/optimizer/adamw.h"

#include <cmath>

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

namespace rrfp {

AdamW::AdamW(std::span<const Parameter> parameters, AdamWOptions options) : options_(options) {
    for (const Parameter& parameter : parameters) {
        const at::Tensor value = parameter.value.detach();
        parameters_.push_back(parameter.value);
        moments_.push_back({.first = at::zeros_like(value), .second = at::zeros_like(value)});
    }
}

void AdamW::step(double learning_rate, double gradient_scale) {
    const c10::AutoGradMode no_graph(false);
    ++steps_;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        update(parameters_[i], moments_[i], learning_rate, gradient_scale);
    }
}

void AdamW::update(const at::Tensor& parameter, Moments& moments, double learning_rate,
                   double gradient_scale) const {
    const auto steps = static_cast<double>(steps_);
    const double first_correction = 1 - std::pow(options_.beta1, steps);
    const double second_correction = 1 - std::pow(options_.beta2, steps);
    const at::Tensor gradient = parameter.grad().mul(gradient_scale);

    if (parameter.dim() >= 2) parameter.mul_(1 - learning_rate * options_.weight_decay);
    moments.first.lerp_(gradient, 1 - options_.beta1);
    moments.second.mul_(options_.beta2).addcmul_(gradient, gradient, 1 - options_.beta2);
    const at::Tensor divisor =
        moments.second.sqrt().div_(std::sqrt(second_correction)).add_(options_.epsilon);
    parameter.addcdiv_(moments.first, divisor, -learning_rate / first_correction);
}

}  // namespace rrfp
