// A tensor's storage lives as long as anyone shares it, and a dense copy holds the elements in
// order whatever the strides were.

#include "runtime/core/tensor.h"

#include <array>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr DLDataType float32{kDLFloat, 32, 1};
constexpr DLDataType int64{kDLInt, 64, 1};
constexpr DLDataType boolean{kDLBool, 8, 1};
constexpr DLDataType bfloat16{kDLBfloat, 16, 1};

using Extents = std::vector<std::int64_t>;

/// A DLPack tensor with any strides over 0, 1, 2, ...; counts its deletions.
struct Strided {
    Strided(Extents shape_, Extents strides_, std::size_t offset = 0)
        : shape(std::move(shape_)), strides(std::move(strides_)) {
        std::iota(values.begin(), values.end(), 0);
        managed.dl_tensor = {.data = values.data(),
                             .device = {kDLCPU, 0},
                             .ndim = static_cast<std::int32_t>(shape.size()),
                             .dtype = int64,
                             .shape = shape.data(),
                             .strides = strides.data(),
                             .byte_offset = offset * sizeof(std::int64_t)};
        managed.manager_ctx = this;
        managed.deleter = [](DLManagedTensor* self) {
            ++static_cast<Strided*>(self->manager_ctx)->deleted;
        };
    }

    Extents shape;
    Extents strides;
    std::vector<std::int64_t> values = std::vector<std::int64_t>(64);
    DLManagedTensor managed{};
    int deleted = 0;
};

std::vector<std::int64_t> dense(Strided& source) {
    const Tensor copy = Tensor::adopt(&source.managed).contiguous();
    EXPECT_TRUE(copy.is_contiguous());
    const auto* first = static_cast<const std::int64_t*>(copy.data());
    return {first, first + copy.elements()};
}

TEST(Tensor, GivesItsBlockAwayOnlyToWhoHoldsItAlone) {
    Tensor tensor = Tensor::allocate(float32, Extents{2, 3});
    const auto* elements = static_cast<const std::byte*>(tensor.data());
    {
        const Tensor other = tensor;
        EXPECT_EQ(tensor.release_block(), nullptr);
        EXPECT_TRUE(tensor.defined());
    }
    std::byte* block = tensor.release_block();
    EXPECT_EQ(block + Tensor::headroom, elements);
    EXPECT_FALSE(tensor.defined());
    EXPECT_FALSE(tensor.has_headroom());
    std::free(block);

    std::array<float, 2> storage{};
    Tensor view = Tensor::view({}, storage.data(), float32, Extents{2});
    EXPECT_FALSE(view.has_headroom());
    EXPECT_EQ(view.release_block(), nullptr);
    EXPECT_TRUE(view.defined());
}

TEST(Tensor, AllocatesAlignedOfAnyType) {
    for (const auto& [type, bytes] : {std::pair(float32, 24U), std::pair(int64, 48U),
                                      std::pair(boolean, 6U), std::pair(bfloat16, 12U)}) {
        const Tensor tensor = Tensor::allocate(type, Extents{2, 3});
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data()) % 64, 0U);
        EXPECT_EQ(tensor.bytes(), bytes);
        EXPECT_EQ(tensor.elements(), 6);
        EXPECT_TRUE(tensor.is_contiguous());
    }
}

TEST(Tensor, HasOneElementWithoutDimensionsAndNoneWithAnEmptyOne) {
    const Tensor scalar = Tensor::allocate(float32, Extents{});
    EXPECT_EQ(scalar.elements(), 1);
    EXPECT_EQ(scalar.bytes(), 4U);
    EXPECT_TRUE(scalar.is_contiguous());
    const Tensor empty = Tensor::allocate(float32, Extents{3, 0, 2});
    EXPECT_EQ(empty.bytes(), 0U);
    EXPECT_NE(empty.data(), nullptr);
    EXPECT_TRUE(empty.is_contiguous());
    EXPECT_EQ(empty.contiguous().data(), empty.data());
}

TEST(Tensor, RefusesShapesThatCannotBe) {
    EXPECT_THROW(Tensor::allocate(float32, Extents{2, -1}), std::invalid_argument);
    EXPECT_THROW(Tensor::allocate(float32, Extents{1LL << 40, 1LL << 40}), std::invalid_argument);
    EXPECT_THROW(Tensor::adopt(nullptr), std::invalid_argument);
}

TEST(Tensor, AnUndefinedOneHoldsNothing) {
    const Tensor none;
    EXPECT_FALSE(none.defined());
    EXPECT_EQ(none.data(), nullptr);
    EXPECT_EQ(none.bytes(), 0U);
    EXPECT_EQ(describe(none), "undefined");
    EXPECT_THROW(none.to_dlpack(), std::logic_error);
}

TEST(Tensor, CopiesShareAndTheLastOneDeletes) {
    Strided source({2, 2}, {2, 1});
    {
        Tensor first = Tensor::adopt(&source.managed);
        const Tensor second = first;
        first = Tensor();
        EXPECT_EQ(source.deleted, 0);
        EXPECT_EQ(second.data(), source.values.data());
        DLManagedTensor* exported = second.to_dlpack();
        EXPECT_EQ(exported->dl_tensor.data, source.values.data());
        exported->deleter(exported);
        EXPECT_EQ(source.deleted, 0);
    }
    EXPECT_EQ(source.deleted, 1);
}

TEST(Tensor, AnExportKeepsTheStorage) {
    Strided source({4}, {1});
    DLManagedTensor* exported = Tensor::adopt(&source.managed).to_dlpack();
    EXPECT_EQ(source.deleted, 0);
    const Tensor again = Tensor::adopt(exported);
    EXPECT_THAT(again.shape(), ElementsAre(4));
    EXPECT_EQ(source.deleted, 0);
}

TEST(Tensor, AViewKeepsItsOwner) {
    auto owner = std::make_shared<std::vector<float>>(6);
    const std::weak_ptr<void> watched = owner;
    float* data = owner->data();
    Tensor view = Tensor::view(std::move(owner), data, float32, Extents{6});
    EXPECT_FALSE(watched.expired());
    view = Tensor();
    EXPECT_TRUE(watched.expired());
}

TEST(Tensor, ATransposeIsMadeDense) {
    Strided transpose({3, 2}, {1, 3});
    EXPECT_FALSE(Tensor::adopt(&transpose.managed).is_contiguous());
    Strided again({3, 2}, {1, 3});
    EXPECT_THAT(dense(again), ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(Tensor, AnExpandedViewRepeatsItsElements) {
    Strided expanded({2, 3}, {1, 0});
    EXPECT_THAT(dense(expanded), ElementsAre(0, 0, 0, 1, 1, 1));
    Strided scalar({2, 2}, {0, 0}, 7);
    EXPECT_THAT(dense(scalar), ElementsAre(7, 7, 7, 7));
}

TEST(Tensor, ASliceStartsAtItsOffset) {
    Strided slice({2, 2}, {4, 1}, 5);
    EXPECT_THAT(dense(slice), ElementsAre(5, 6, 9, 10));
    Strided steps({3}, {2}, 1);
    EXPECT_THAT(dense(steps), ElementsAre(1, 3, 5));
    Strided backwards({3}, {-1}, 2);
    EXPECT_THAT(dense(backwards), ElementsAre(2, 1, 0));
}

TEST(Tensor, StridesOfSingleExtentsAndEmptyTensorsDoNotMatter) {
    Strided single({1, 3, 1}, {99, 1, 42});
    EXPECT_TRUE(Tensor::adopt(&single.managed).is_contiguous());
    Strided empty({0, 3}, {1, 7});
    EXPECT_TRUE(Tensor::adopt(&empty.managed).is_contiguous());
    Strided compact({2, 2}, {2, 1});
    compact.managed.dl_tensor.strides = nullptr;
    EXPECT_TRUE(Tensor::adopt(&compact.managed).is_contiguous());
}

TEST(Tensor, OnlyHostMemoryIsMadeDenseHere) {
    Strided device({2, 2}, {1, 2});
    device.managed.dl_tensor.device = {kDLCUDA, 1};
    const Tensor tensor = Tensor::adopt(&device.managed);
    try {
        tensor.contiguous();
        FAIL() << "accepted";
    } catch (const std::invalid_argument& error) {
        EXPECT_THAT(error.what(), HasSubstr("int64[2,2] on cuda:1"));
    }
}

TEST(Tensor, DescribesTypeAndShape) {
    EXPECT_EQ(describe(Tensor::allocate(float32, Extents{2, 64, 128})), "float32[2,64,128]");
    EXPECT_EQ(describe(Tensor::allocate(boolean, Extents{})), "bool[]");
    EXPECT_EQ(describe(Tensor::allocate(bfloat16, Extents{0})), "bfloat16[0]");
}

TEST(TensorList, CountsBytesOverUndefinedEntries) {
    EXPECT_EQ(bytes(TensorList{Tensor::allocate(int64, Extents{2}), Tensor(),
                               Tensor::allocate(boolean, Extents{3})}),
              19U);
}

TEST(Tensor, SizesThatDoNotFitAreRefusedAndNeverWrap) {
    constexpr std::int64_t big = std::int64_t{1} << 58;
    constexpr std::int64_t most = std::int64_t{1} << 62;
    std::byte nothing{};
    for (const Extents& shape : {Extents{big}, Extents{most, 2}, Extents{0, most, most},
                                 Extents{most, 0, most}, Extents{-1}, Extents{most, -1}}) {
        EXPECT_THROW(Tensor::view(nullptr, &nothing, int64, shape), std::invalid_argument);
        EXPECT_THROW(Tensor::allocate(int64, shape), std::invalid_argument);
    }
    EXPECT_THROW(Tensor::view(nullptr, &nothing, {kDLFloat, 255, 65535}, Extents{most}),
                 std::invalid_argument);
    EXPECT_EQ(Tensor::view(nullptr, &nothing, int64, Extents{0, most}).bytes(), 0u);
}

}  // namespace
}  // namespace rrfp
