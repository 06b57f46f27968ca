#include "codelets/buffer_pool.h"

#include <mutex>
#include <new>
#include <vector>

namespace rrfp {
namespace {

constexpr std::align_val_t alignment{64};

struct Delete {
    void operator()(void* block) const { ::operator delete(block, alignment); }
};
using Block = std::unique_ptr<void, Delete>;

}  // namespace

/// The blocks not in use; shared with every block that is.
struct BufferPool::Free {
    std::mutex mutex;
    std::vector<Block> blocks;
};

BufferPool::BufferPool(std::size_t bytes) : bytes_(bytes), free_(std::make_shared<Free>()) {}

std::shared_ptr<void> BufferPool::take() {
    Block block;
    {
        const std::lock_guard lock(free_->mutex);
        if (!free_->blocks.empty()) {
            block = std::move(free_->blocks.back());
            free_->blocks.pop_back();
        }
    }
    if (!block) {
        block.reset(::operator new(bytes_, alignment));
    }
    return {block.release(), [free = free_](void* returned) {
                const std::lock_guard lock(free->mutex);
                free->blocks.emplace_back(returned);
            }};
}

}  // namespace rrfp
