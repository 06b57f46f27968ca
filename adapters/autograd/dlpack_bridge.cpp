#include "adapters/autograd/dlpack_bridge.h"

#include <functional>

#include <ATen/core/Tensor.h>
#include <ATen/dlpack.h>

namespace at {

// As <ATen/DLConvertor.h> declares them, which includes every operator of ATen besides.
TORCH_API DLManagedTensor* toDLPack(const Tensor& src);
TORCH_API Tensor fromDLPack(DLManagedTensor* src, std::function<void(void*)> deleter);

}  // namespace at

namespace rrfp {

at::Tensor to_torch(const Tensor& tensor) {
    return tensor.defined() ? at::fromDLPack(tensor.to_dlpack(), {}) : at::Tensor();
}

std::vector<at::Tensor> to_torch(const TensorList& tensors) {
    std::vector<at::Tensor> result;
    result.reserve(tensors.size());
    for (const Tensor& tensor : tensors) result.push_back(to_torch(tensor));
    return result;
}

Tensor from_torch(const at::Tensor& tensor) {
    // Detached: a message under way must not hold the graph that its values came from.
    return tensor.defined() ? Tensor::adopt(at::toDLPack(tensor.detach())) : Tensor();
}

TensorList from_torch(const std::vector<at::Tensor>& tensors) {
    TensorList result;
    result.reserve(tensors.size());
    for (const at::Tensor& tensor : tensors) result.push_back(from_torch(tensor));
    return result;
}

}  // namespace rrfp
