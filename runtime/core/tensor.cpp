#include "runtime/core/tensor.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/core/checked_math.h"

namespace rrfp {
namespace {

constexpr std::size_t alignment = 64;

struct Free {
    void operator()(void* block) const { std::free(block); }
};

/// A DLTensor with what its pointers point to.
struct Block : DLTensor {
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> steps;
    std::shared_ptr<void> owner;              // of a view
    std::unique_ptr<std::byte, Free> memory;  // of an allocated tensor
};

/// A DLPack tensor that keeps ours alive until its receiver deletes it.
struct Export {
    DLManagedTensor managed{};
    std::shared_ptr<const DLTensor> shared;
};

std::vector<std::int64_t> dense_strides(std::span<const std::int64_t> shape) {
    std::vector<std::int64_t> strides(shape.size());
    std::int64_t step = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        strides[d] = step;
        step *= shape[d];
    }
    return strides;
}

[[noreturn]] void refuse_shape(std::span<const std::int64_t> shape) {
    throw std::invalid_argument(fmt::format(
        "tensor of shape [{}]: extents must be 0 or more, and the bits of all elements fit 63 bits",
        fmt::join(shape, ",")));
}

std::int64_t count(std::span<const std::int64_t> shape) {
    std::int64_t elements = 1;
    std::int64_t strides = 1;  // an extent of 0 makes no elements, but strides all the same
    for (const std::int64_t extent : shape) {
        const auto longer = checked_product({strides, std::max<std::int64_t>(extent, 1)});
        if (extent < 0 || !longer) refuse_shape(shape);
        elements *= extent;
        strides = *longer;
    }
    return elements;
}

std::size_t dense_bytes(DLDataType type, std::span<const std::int64_t> shape) {
    const auto bits = checked_product<std::int64_t>({count(shape), type.bits, type.lanes});
    constexpr int bits_a_byte = 8;
    if (!bits || *bits > std::numeric_limits<std::int64_t>::max() - bits_a_byte) {
        refuse_shape(shape);
    }
    return static_cast<std::size_t>((*bits + bits_a_byte - 1) / bits_a_byte);
}

std::shared_ptr<Block> dense_block(void* data, DLDataType type,
                                   std::span<const std::int64_t> shape) {
    auto block = std::make_shared<Block>();
    block->extents.assign(shape.begin(), shape.end());
    block->steps = dense_strides(shape);
    static_cast<DLTensor&>(*block) = {.data = data,
                                      .device = {kDLCPU, 0},
                                      .ndim = static_cast<std::int32_t>(shape.size()),
                                      .dtype = type,
                                      .shape = block->extents.data(),
                                      .strides = block->steps.data(),
                                      .byte_offset = 0};
    return block;
}

}  // namespace

Tensor Tensor::adopt(DLManagedTensor* managed) {
    if (managed == nullptr) {
        throw std::invalid_argument("Tensor::adopt: null DLManagedTensor");
    }
    const std::shared_ptr<DLManagedTensor> owner(managed, [](DLManagedTensor* tensor) {
        if (tensor->deleter != nullptr) {
            tensor->deleter(tensor);
        }
    });
    Tensor result;
    result.tensor_ = std::shared_ptr<const DLTensor>(owner, &owner->dl_tensor);
    return result;
}

Tensor Tensor::allocate(DLDataType type, std::span<const std::int64_t> shape) {
    static_assert(headroom % alignment == 0);
    const std::size_t bytes = headroom + dense_bytes(type, shape);
    // aligned_alloc wants a multiple of the alignment.
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    std::unique_ptr<std::byte, Free> memory(
        static_cast<std::byte*>(std::aligned_alloc(alignment, rounded)));
    if (!memory) {
        throw std::bad_alloc();
    }
    auto block = dense_block(memory.get() + headroom, type, shape);
    block->memory = std::move(memory);
    Tensor result;
    result.tensor_ = std::move(block);
    result.allocated_ = true;
    return result;
}

Tensor Tensor::view(std::shared_ptr<void> owner, void* data, DLDataType type,
                    std::span<const std::int64_t> shape) {
    dense_bytes(type, shape);  // refuses what has no size
    auto block = dense_block(data, type, shape);
    block->owner = std::move(owner);
    Tensor result;
    result.tensor_ = std::move(block);
    return result;
}

std::byte* Tensor::release_block() {
    if (!allocated_ || tensor_.use_count() != 1) {
        return nullptr;
    }
    // Only `allocate` sets the mark, and what it made is a Block.
    auto& block = const_cast<Block&>(static_cast<const Block&>(*tensor_));
    std::byte* memory = block.memory.release();
    tensor_.reset();
    allocated_ = false;
    return memory;
}

void* Tensor::data() const {
    if (!defined() || tensor_->data == nullptr) {
        return nullptr;
    }
    return static_cast<std::byte*>(tensor_->data) + tensor_->byte_offset;
}

std::span<const std::int64_t> Tensor::shape() const {
    if (!defined()) {
        return {};
    }
    return {tensor_->shape, static_cast<std::size_t>(tensor_->ndim)};
}

std::int64_t Tensor::elements() const { return defined() ? count(shape()) : 0; }

std::size_t Tensor::bytes() const { return defined() ? dense_bytes(tensor_->dtype, shape()) : 0; }

bool Tensor::is_contiguous() const {
    if (!defined() || tensor_->strides == nullptr || elements() == 0) {
        return true;
    }
    std::int64_t step = 1;
    for (int d = tensor_->ndim - 1; d >= 0; --d) {
        // The stride of an extent of one is never used and may be anything.
        if (tensor_->shape[d] != 1 && tensor_->strides[d] != step) {
            return false;
        }
        step *= tensor_->shape[d];
    }
    return true;
}

DLManagedTensor* Tensor::to_dlpack() const {
    if (!defined()) {
        throw std::logic_error("Tensor::to_dlpack: the tensor is undefined");
    }
    auto exported = std::make_unique<Export>();
    exported->shared = tensor_;
    exported->managed.dl_tensor = *tensor_;
    exported->managed.manager_ctx = exported.get();
    exported->managed.deleter = [](DLManagedTensor* self) {
        delete static_cast<Export*>(self->manager_ctx);
    };
    return &exported.release()->managed;
}

std::size_t bytes(const TensorList& tensors) {
    std::size_t sum = 0;
    for (const Tensor& tensor : tensors) {
        sum += tensor.bytes();
    }
    return sum;
}

}  // namespace rrfp
