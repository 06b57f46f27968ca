// Draws depend on their key alone, are the same on every machine, and have the distribution they
// claim.

#include "runtime/core/keyed_random.h"

#include <cmath>
#include <functional>
#include <set>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

struct Moments {
    double mean = 0;
    double variance = 0;
};

constexpr std::uint64_t draws = 200'000;

Moments moments(const std::function<double(std::uint64_t)>& draw) {
    Moments result;
    double squares = 0;
    for (std::uint64_t i = 0; i < draws; ++i) {
        const double value = draw(i);
        result.mean += value;
        squares += value * value;
    }
    result.mean /= draws;
    result.variance = squares / draws - result.mean * result.mean;
    return result;
}

TEST(KeyedRandom, IsTheSameOnEveryMachine) {
    // Golden values: a change here changes every injected jitter and every initial parameter.
    EXPECT_EQ(keyed_bits({}), 0xe220a8397b1dcdafU);
    EXPECT_EQ(keyed_bits({1, 2, 3}), 0xecf6cadf90efc6adU);
    EXPECT_EQ(keyed_uniform({1, 2, 3}), 0x1.d9ed95bf21df9p-1);
    EXPECT_EQ(keyed_normal({1, 2, 3}), -0x1.755cc8984e528p-2);
    EXPECT_EQ(keyed_log_normal(0.5, {1, 2, 3}), 0x1.817da3f7e165cp-1);
    EXPECT_EQ(keyed_exponential({1, 2, 3}), 0x1.3c7e7f18403a8p-4);
}

TEST(KeyedRandom, TellsKeysApart) {
    std::set<std::uint64_t> seen = {keyed_bits({}), keyed_bits({0}), keyed_bits({0, 0})};
    for (std::uint64_t a = 0; a < 100; ++a) {
        for (std::uint64_t b = 0; b < 100; ++b) {
            seen.insert(keyed_bits({a, b, 7}));
        }
    }
    EXPECT_EQ(seen.size(), 3 + 10'000U);
}

TEST(KeyedRandom, OneBitOfTheKeyFlipsHalfTheBitsDrawn) {
    double flipped = 0;
    for (std::uint64_t i = 0; i < 64; ++i) {
        for (std::uint64_t key = 0; key < 64; ++key) {
            flipped += __builtin_popcountll(keyed_bits({key, 5}) ^
                                            keyed_bits({key ^ (std::uint64_t{1} << i), 5}));
        }
    }
    EXPECT_NEAR(flipped / (64 * 64), 32, 0.5);
}

TEST(KeyedRandom, UniformFillsItsInterval) {
    const Moments found = moments([](std::uint64_t i) { return keyed_uniform({i}); });
    EXPECT_NEAR(found.mean, 0.5, 0.003);
    EXPECT_NEAR(found.variance, 1.0 / 12, 0.001);
}

TEST(KeyedRandom, NormalIsStandard) {
    double beyond_two = 0;
    const Moments found = moments([&](std::uint64_t i) {
        const double value = keyed_normal({i, 1});
        beyond_two += std::abs(value) > 2 ? 1 : 0;
        return value;
    });
    EXPECT_NEAR(found.mean, 0, 0.01);
    EXPECT_NEAR(found.variance, 1, 0.015);
    EXPECT_NEAR(beyond_two / draws, std::erfc(2 / std::sqrt(2)), 0.002);
}

TEST(KeyedRandom, LogNormalKeepsItsMean) {
    for (const double cv : {0.1, 0.5, 1.0}) {
        const Moments found = moments([cv](std::uint64_t i) {
            return keyed_log_normal(cv, {i, 2});
        });
        EXPECT_NEAR(found.mean, 1, 0.01) << cv;
        EXPECT_NEAR(std::sqrt(found.variance), cv, 0.04 * cv) << cv;
    }
    EXPECT_EQ(keyed_log_normal(0, {3}), 1);
}

TEST(KeyedRandom, ExponentialHasMeanAndDeviationOne) {
    const Moments found = moments([](std::uint64_t i) { return keyed_exponential({i, 3}); });
    EXPECT_NEAR(found.mean, 1, 0.01);
    EXPECT_NEAR(found.variance, 1, 0.03);
}

TEST(KeyedRandom, NeighbouringKeysAreUncorrelated) {
    double product = 0;
    for (std::uint64_t i = 0; i < draws; ++i) {
        product += keyed_normal({9, i}) * keyed_normal({9, i + 1});
    }
    EXPECT_NEAR(product / draws, 0, 0.01);
}

}  // namespace
}  // namespace rrfp
