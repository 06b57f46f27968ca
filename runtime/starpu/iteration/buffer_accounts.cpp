#include "runtime/starpu/iteration/buffer_accounts.h"

namespace rrfp {

void BufferAccounts::enter(BufferKind kind, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    buffers_[static_cast<std::size_t>(kind)].add(static_cast<std::int64_t>(bytes));
}

void BufferAccounts::leave(BufferKind kind, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    buffers_[static_cast<std::size_t>(kind)].remove(static_cast<std::int64_t>(bytes));
}

void BufferAccounts::begin_iteration() {
    const std::lock_guard lock(mutex_);
    for (Occupancy& buffer : buffers_) buffer.reset_high_water();
}

Buffers BufferAccounts::read() const {
    const std::lock_guard lock(mutex_);
    return buffers_;
}

}  // namespace rrfp
