// One reduction for each bucket and iteration, whatever order chunks end in; gradients are whole
// when `finish` returns, and a chunk forgotten or reduced twice is an error.
#include "adapters/collectives/gradient_reduction.h"

#include <array>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

/// A group whose other rank always has the same values; a reduction ends at the second look.
class Mirror : public Collectives {
  public:
    int rank() const override { return 0; }
    int size() const override { return 2; }
    std::unique_ptr<Operation> start_all_reduce(Elements values, Reduction) override {
        reduced.push_back(values.data);
        return std::make_unique<Doubling>(values);
    }
    std::unique_ptr<Operation> start_all_gather(ConstElements, Elements) override { return {}; }
    std::unique_ptr<Operation> start_reduce_scatter(ConstElements, Elements, Reduction) override {
        return {};
    }
    std::unique_ptr<Operation> start_broadcast(Elements, int) override { return {}; }

    std::vector<void*> reduced;

  private:
    class Doubling : public Operation {
      public:
        explicit Doubling(Elements values) : values_(values) {}
        bool finished() override {
            if (++looks_ == 2) wait();
            return looks_ >= 2;
        }
        void wait() override {
            looks_ = 2;
            auto* values = static_cast<float*>(values_.data);
            for (std::size_t i = 0; i < values_.count; ++i) values[i] *= 2;
        }

      private:
        Elements values_;
        int looks_ = 0;
    };
};

class GradientReductionTest : public ::testing::Test {
  protected:
    Mirror groups_[2];
    std::array<float, 3> first_ = {1, 2, 3};
    std::array<float, 1> second_ = {4};
    std::array<float, 2> third_ = {5, 6};
    GradientReduction reduction_{
        {{.group = &groups_[0], .buckets = {std::span<float>(first_), std::span<float>(second_)}},
         {.group = &groups_[1], .buckets = {std::span<float>(third_)}}}};
};

TEST_F(GradientReductionTest, EachBucketIsReducedOnceAnIterationInItsChunksGroup) {
    for (int iteration = 1; iteration <= 2; ++iteration) {
        reduction_.start(iteration % 2);
        reduction_.advance();
        reduction_.advance();
        reduction_.advance();
        reduction_.start(1 - iteration % 2);
        reduction_.finish();
        EXPECT_EQ(reduction_.reductions(), 3u * iteration);
        const float factor = iteration == 1 ? 2 : 4;
        EXPECT_THAT(first_, ::testing::ElementsAre(factor, 2 * factor, 3 * factor));
        EXPECT_EQ(second_[0], 4 * factor);
        EXPECT_THAT(third_, ::testing::ElementsAre(5 * factor, 6 * factor));
    }
    void* const first = first_.data();
    void* const second = second_.data();
    EXPECT_THAT(groups_[0].reduced, ::testing::ElementsAre(first, second, first, second));
    EXPECT_EQ(groups_[1].reduced.size(), 2u);
}

TEST_F(GradientReductionTest, AChunkForgottenOrReducedTwiceIsAnError) {
    reduction_.start(1);
    EXPECT_THROW(reduction_.start(1), std::logic_error);
    try {
        reduction_.finish();
        FAIL() << "accepted";
    } catch (const std::logic_error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("chunk 0"));
    }
}

}  // namespace
}  // namespace rrfp
