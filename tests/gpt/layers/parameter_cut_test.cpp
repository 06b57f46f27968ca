// Invariant: the parts of a cut parameter are disjoint, cover it, and a cut of blocks takes each
// rank's share of every block.
#include "adapters/gpt/layers/parameter_cut.h"

#include <stdexcept>

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

namespace rrfp::test {
namespace {

TEST(Cut, takes_rows_or_columns) {
    const at::Tensor whole = at::arange(24).view({4, 6});
    EXPECT_TRUE(take_part(whole, {.dimension = 0}, 1, 2).equal(whole.narrow(0, 2, 2)));
    const at::Tensor columns = take_part(whole, {.dimension = 1}, 2, 3);
    EXPECT_TRUE(columns.equal(whole.narrow(1, 4, 2)));
    EXPECT_TRUE(columns.is_contiguous());
}

TEST(Cut, takes_its_share_of_every_block) {
    // Query, key and value of four heads, one row a head.
    const at::Tensor rows = at::arange(12);
    EXPECT_TRUE(take_part(rows, {.dimension = 0, .blocks = 3}, 1, 2)
                    .equal(at::tensor({2, 3, 6, 7, 10, 11})));
}

TEST(Cut, parts_cover_the_whole) {
    const at::Tensor whole = at::arange(96).view({12, 8});
    std::vector<at::Tensor> blocks;
    for (int part = 0; part < 4; ++part) {
        blocks.push_back(take_part(whole, {.dimension = 0, .blocks = 3}, part, 4).view({3, 1, 8}));
    }
    EXPECT_TRUE(at::cat(blocks, 1).view({12, 8}).equal(whole));
}

TEST(Cut, refuses_what_has_no_equal_parts) {
    EXPECT_EQ(part_shape({12, 5}, {.dimension = 0, .blocks = 3}, 2),
              (std::vector<std::int64_t>{6, 5}));
    EXPECT_THROW(part_shape({12, 5}, {.dimension = 0, .blocks = 3}, 3), std::logic_error);
    EXPECT_THROW(part_shape({12, 5}, {.dimension = 1}, 2), std::logic_error);
}

}  // namespace
}  // namespace rrfp::test
