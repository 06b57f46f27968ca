// Blocks are reused, aligned, and may outlive their pool.

#include "codelets/buffer_pool.h"

#include <cstdint>
#include <cstring>
#include <optional>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

TEST(BufferPool, ReusesABlockThatCameBack) {
    BufferPool pool(100);
    std::shared_ptr<void> first = pool.take();
    const void* const address = first.get();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(address) % 64, 0U);
    const std::shared_ptr<void> second = pool.take();
    EXPECT_NE(second.get(), address);
    first.reset();
    EXPECT_EQ(pool.take().get(), address);
}

TEST(BufferPool, BlocksOutliveIt) {
    std::optional<BufferPool> pool(64);
    const std::shared_ptr<void> block = pool->take();
    pool.reset();
    std::memset(block.get(), 1, 64);
}

TEST(BufferPool, HandsOutEmptyBlocks) {
    BufferPool pool(0);
    EXPECT_NE(pool.take(), nullptr);
}

}  // namespace
}  // namespace rrfp
