// Invariant: who sets nothing but sizes is not slower than the fixed schedule of the same shape, at
// its memory or more; and with less memory close to the best rule that this memory allows. A small
// part of bench/defaults, which has the other shapes and how they vary.

#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/defaults/sweep.h"

namespace rrfp {
namespace {

constexpr int seeds = 8;

std::string describe(const Cell& cell) {
    return fmt::format("{} of {} chunks, P {}, M {}{}, limit {}, CV {}, messages {} ms{}: {} {}",
                       cell.shape.placement, cell.shape.chunks, cell.shape.ranks,
                       cell.shape.microbatches, cell.shape.split_weight ? ", split" : "",
                       cell.limit, cell.variation.cv, cell.variation.message_ms,
                       cell.variation.uneven ? ", uneven" : "", cell.admission, cell.arbiter);
}

/// The cells at 4 P microbatches, with CV 0 and 0.5.
std::vector<Cell> cells_of(int ranks) {
    std::vector<Cell> cells;
    for (const Shape& shape : shapes(ranks)) {
        if (shape.microbatches != 4 * ranks || shape.chunks == 3) continue;
        for (const Variation& variation : variations()) {
            if (variation.uneven || (variation.cv != 0 && variation.cv != 0.5)) continue;
            for (const Cell& cell : sweep(shape, variation, seeds)) cells.push_back(cell);
        }
    }
    return cells;
}

class Defaults : public ::testing::TestWithParam<int> {};

TEST_P(Defaults, AreNotSlowerThanTheFixedSchedule) {
    std::map<std::string, std::vector<double>> logarithms;  // by limit
    for (const Cell& cell : cells_of(GetParam())) {
        if (cell.best > 0) {
            EXPECT_GE(cell.speedup, 0.9 * cell.best) << describe(cell);
            continue;
        }
        // With few samples a mean is within some percent; where nothing varies it is exact.
        const bool varies = cell.variation.cv > 0 || cell.variation.message_ms > 0;
        EXPECT_GE(cell.speedup, varies ? 0.97 : 0.9999) << describe(cell);
        logarithms[cell.limit].push_back(std::log(cell.speedup));
    }
    EXPECT_EQ(logarithms.size(), 4U);
    for (const auto& [limit, values] : logarithms) {
        double sum = 0;
        for (const double value : values) sum += value;
        EXPECT_GE(sum, 0) << limit << ": slower in the mean";
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Defaults, ::testing::Values(2, 4, 8));

}  // namespace
}  // namespace rrfp
