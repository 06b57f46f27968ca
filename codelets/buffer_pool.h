#pragma once

#include <cstddef>
#include <memory>

namespace rrfp {

/// Hands out blocks of one size and takes them back when their last owner goes, so that a run
/// allocates no more of them than are in use at once. Blocks may outlive the pool and may be
/// dropped on any thread.
class BufferPool {
  public:
    explicit BufferPool(std::size_t bytes);

    /// A block of the pool's size, 64-byte aligned. Its contents are those of its last use.
    std::shared_ptr<void> take();

  private:
    struct Free;
    std::size_t bytes_;
    std::shared_ptr<Free> free_;
};

}  // namespace rrfp
