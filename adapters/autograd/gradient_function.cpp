#include "adapters/autograd/gradient_function.h"

#include <utility>

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

namespace rrfp {
namespace {

class FunctionNode : public torch::autograd::Node {
  public:
    FunctionNode(torch::autograd::edge_list next, GradientFunction gradient)
        : Node(std::move(next)), gradient_(std::move(gradient)) {}

  private:
    torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
        return {gradients.at(0).defined() ? gradient_(gradients[0]) : at::Tensor()};
    }

    GradientFunction gradient_;
};

}  // namespace

at::Tensor differentiable(const at::Tensor& input, at::Tensor value, GradientFunction gradient) {
    if (torch::autograd::compute_requires_grad(input)) {
        torch::autograd::set_history(
            value, std::make_shared<FunctionNode>(torch::autograd::collect_next_edges(input),
                                                  std::move(gradient)));
    }
    return value;
}

}  // namespace rrfp
