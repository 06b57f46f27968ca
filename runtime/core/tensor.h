#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dlpack/dlpack.h>

namespace rrfp {

/// A tensor that crosses layers: shared ownership of a DLPack tensor, so that the runtime needs no
/// tensor library and nothing is copied between layers. Copies share storage. An empty Tensor
/// (`defined()` false) stands for "no value", e.g. no gradient.
class Tensor {
  public:
    Tensor() = default;
    /// Takes over `managed`; its deleter runs when the last owner goes.
    static Tensor adopt(DLManagedTensor* managed);
    /// Uninitialised, contiguous, in host memory, 64-byte aligned. Shape in elements. The elements
    /// stand `headroom` bytes into their block, so that a message can be made of them in place.
    static Tensor allocate(DLDataType type, std::span<const std::int64_t> shape);
    static constexpr std::size_t headroom = 256;
    /// As `allocate`, but over storage that `owner` keeps alive.
    static Tensor view(std::shared_ptr<void> owner, void* data, DLDataType type,
                       std::span<const std::int64_t> shape);

    bool defined() const { return static_cast<bool>(tensor_); }
    const DLTensor& operator*() const { return *tensor_; }
    const DLTensor* operator->() const { return tensor_.get(); }
    void* data() const;
    std::span<const std::int64_t> shape() const;
    std::int64_t elements() const;
    /// Bytes of the elements, dense.
    std::size_t bytes() const;
    /// Whether the elements lie dense in row-major order.
    bool is_contiguous() const;
    /// This tensor, or a dense copy of it (host memory only; std::invalid_argument elsewhere).
    Tensor contiguous() const;
    /// A new DLPack tensor that shares the storage; the receiver calls its deleter.
    DLManagedTensor* to_dlpack() const;
    /// Whether `allocate` made it: `headroom` bytes are free before its elements.
    bool has_headroom() const { return allocated_; }
    /// Gives the block of a tensor that has headroom to the caller, who frees it with std::free;
    /// the tensor is then undefined. Null, and nothing changes, where others share the block.
    std::byte* release_block();

  private:
    std::shared_ptr<const DLTensor> tensor_;
    bool allocated_ = false;  // `tensor_` is the only way to its block
};

/// What one stage hands to the next for one microbatch. Entries may be undefined.
using TensorList = std::vector<Tensor>;

std::size_t bytes(const TensorList& tensors);
/// E.g. `float32[2,64,128]`.
std::string describe(const Tensor& tensor);

}  // namespace rrfp
