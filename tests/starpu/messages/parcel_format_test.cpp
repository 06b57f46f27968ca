// Guards: what is read from a block is what was written, for every kind of tensor, without a copy;
// and no block that was cut, changed or made up is taken for a parcel.

#include "runtime/starpu/messages/parcel_format.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::HasSubstr;

constexpr DLDataType int64_type = {kDLInt, 64, 1};
constexpr DLDataType bfloat16_type = {kDLBfloat, 16, 1};
constexpr DLDataType bool_type = {kDLBool, 8, 1};

Tensor filled(DLDataType type, std::vector<std::int64_t> shape) {
    Tensor tensor = Tensor::allocate(type, shape);
    auto* bytes = static_cast<std::uint8_t*>(tensor.data());
    std::iota(bytes, bytes + tensor.bytes(), std::uint8_t{1});
    return tensor;
}

struct Block {
    explicit Block(const Parcel& parcel)
        : bytes(std::make_shared<std::vector<std::byte>>(parcel_format::size(parcel))) {
        parcel_format::write(parcel, *bytes);
    }
    Parcel read() const { return parcel_format::read(bytes, *bytes); }

    std::shared_ptr<std::vector<std::byte>> bytes;
};

void expect_equal(const Tensor& actual, const Tensor& expected) {
    ASSERT_EQ(actual.defined(), expected.defined());
    if (!expected.defined()) return;
    EXPECT_EQ(describe(actual), describe(expected));
    EXPECT_EQ(actual->device.device_type, kDLCPU);
    ASSERT_EQ(actual.bytes(), expected.bytes());
    EXPECT_EQ(std::memcmp(actual.data(), expected.data(), expected.bytes()), 0);
}

TEST(ParcelFormat, ALoneTensorsBlockBecomesTheVeryMessageThatACopyWouldBe) {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{}, {5}, {2, 3, 4}, std::vector<std::int64_t>(17, 1)}) {
        Parcel parcel{.tensors = {filled(int64_type, shape)}, .failure = {}};
        const Block copied(parcel);
        const void* elements = parcel.tensors[0].data();
        const std::shared_ptr<std::byte> given(parcel_format::give(parcel), std::free);
        ASSERT_NE(given, nullptr);
        EXPECT_EQ(std::memcmp(given.get(), copied.bytes->data(), copied.bytes->size()), 0);
        const Parcel read = parcel_format::read(given, {given.get(), copied.bytes->size()});
        EXPECT_EQ(read.tensors[0].data(), elements);
        expect_equal(read.tensors[0], copied.read().tensors[0]);
        EXPECT_FALSE(parcel.tensors[0].defined());
    }
}

TEST(ParcelFormat, OnlyABlockThatNobodyElseHoldsIsGiven) {
    const Tensor shared = filled(int64_type, {4});
    Parcel parcel{.tensors = {shared}, .failure = {}};
    EXPECT_EQ(parcel_format::give(parcel), nullptr);
    EXPECT_EQ(parcel.tensors[0].data(), shared.data());
    for (Parcel other : {Parcel{.tensors = {filled(int64_type, {2}), filled(int64_type, {2})}},
                         Parcel{.tensors = {filled(int64_type, {0})}},
                         Parcel{.tensors = {filled(int64_type, std::vector<std::int64_t>(18, 1))}},
                         Parcel{.tensors = {Tensor()}}, Parcel{}}) {
        EXPECT_EQ(parcel_format::give(other), nullptr);
    }
}

TEST(ParcelFormat, GivesBackEveryKindOfTensor) {
    const Parcel parcel{
        .tensors = {filled(int64_type, {2, 3}), Tensor(), filled(bfloat16_type, {5}),
                    filled(bool_type, {7, 1}), filled(int64_type, {}),
                    filled(bfloat16_type, {4, 0, 2}), filled({kDLFloat, 32, 4}, {3})},
        .failure = {}};
    const Block block(parcel);
    const Parcel read = block.read();
    ASSERT_EQ(read.tensors.size(), parcel.tensors.size());
    for (std::size_t i = 0; i < parcel.tensors.size(); ++i) {
        SCOPED_TRACE(i);
        expect_equal(read.tensors[i], parcel.tensors[i]);
    }
}

TEST(ParcelFormat, GivesBackNoTensors) { EXPECT_TRUE(Block(Parcel{}).read().tensors.empty()); }

TEST(ParcelFormat, KeepsTheBlockAliveThroughItsTensorsAlone) {
    Block block({.tensors = {filled(int64_type, {8})}, .failure = {}});
    const std::weak_ptr<std::vector<std::byte>> watched = block.bytes;
    Parcel read = block.read();
    const auto* begin = reinterpret_cast<const std::byte*>(block.bytes->data());
    const auto* data = static_cast<const std::byte*>(read.tensors[0].data());
    EXPECT_TRUE(data > begin && data < begin + block.bytes->size()) << "the elements were copied";
    EXPECT_EQ((data - begin) % 64, 0);
    block.bytes.reset();
    EXPECT_FALSE(watched.expired());
    const Tensor kept = read.tensors[0];
    read = {};
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(static_cast<const std::uint8_t*>(kept.data())[63], 64);
}

TEST(ParcelFormat, GivesBackAFailure) {
    for (const std::optional<Task> task :
         {std::optional<Task>(), std::optional<Task>({TaskKind::weight_gradient, 7, 12})}) {
        const RemoteFailure failure{.rank = 3, .task = task, .text = "no"};
        const Parcel read =
            Block({.tensors = {}, .failure = std::make_shared<RemoteFailure>(failure)}).read();
        ASSERT_TRUE(read.failure);
        EXPECT_EQ(read.failure->rank, 3);
        EXPECT_EQ(read.failure->task, task);
        EXPECT_EQ(read.failure->text, "no");
        EXPECT_TRUE(read.tensors.empty());
    }
}

TEST(ParcelFormat, RefusesABlockCutAnywhere) {
    const Block block({.tensors = {filled(int64_type, {4}), Tensor()}, .failure = {}});
    for (std::size_t size = 0; size < block.bytes->size(); ++size) {
        const std::span<const std::byte> cut(block.bytes->data(), size);
        EXPECT_THROW(parcel_format::read(nullptr, cut), ParcelError) << size;
    }
}

TEST(ParcelFormat, SaysWhatIsWrong) {
    const Parcel parcel{.tensors = {filled(int64_type, {4})}, .failure = {}};
    const auto message = [&](std::size_t offset, std::uint32_t value) -> std::string {
        Block block(parcel);
        std::memcpy(block.bytes->data() + offset, &value, sizeof(value));
        try {
            block.read();
        } catch (const ParcelError& error) {
            return error.what();
        }
        return "nothing";
    };
    EXPECT_THAT(message(0, 7), HasSubstr("begins with"));
    EXPECT_THAT(message(8, 9), HasSubstr("has format 9"));
    EXPECT_THAT(message(12, 5), HasSubstr("kind 5"));
    EXPECT_THAT(message(16, 1000), HasSubstr("entry needs"));
    EXPECT_THAT(message(24, 1), HasSubstr("header says 1"));
    EXPECT_THAT(message(68, 1000), HasSubstr("1000 dimensions"));
    EXPECT_THAT(message(88, 1 << 20), HasSubstr("at 1048576 of a message"));
    EXPECT_THAT(message(96, 24), HasSubstr("32 bytes, its entry says 24"));
    EXPECT_THAT(message(120, 5), HasSubstr("40 bytes, its entry says 32"));
    EXPECT_THAT(message(88, 65), HasSubstr("at 65, no multiple of 64"));
}

TEST(ParcelFormat, RefusesASizeThatWraps) {
    const Parcel parcel{.tensors = {filled(int64_type, {0})}, .failure = {}};
    constexpr std::int64_t wrapping = std::int64_t{1} << 58;  // times 64 bits is 0
    Block block(parcel);
    std::memcpy(block.bytes->data() + 120, &wrapping, sizeof(wrapping));
    EXPECT_THROW(block.read(), ParcelError);
}

TEST(ParcelFormat, MakesATensorDenseBeforeItIsSent) {
    Tensor dense = filled(int64_type, {2, 3});
    DLManagedTensor* transposed = dense.to_dlpack();
    std::array<std::int64_t, 2> shape{3, 2};
    std::array<std::int64_t, 2> strides{1, 3};
    transposed->dl_tensor.shape = shape.data();
    transposed->dl_tensor.strides = strides.data();
    const Parcel sent =
        parcel_format::sendable({.tensors = {Tensor::adopt(transposed), Tensor()}, .failure = {}});
    const Parcel read = Block(sent).read();
    const auto* from = static_cast<const std::int64_t*>(dense.data());
    const auto* to = static_cast<const std::int64_t*>(read.tensors[0].data());
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 2; ++j) EXPECT_EQ(to[2 * i + j], from[3 * j + i]);
    }
}

TEST(ParcelFormat, RefusesToSendWhatTheHostCannotRead) {
    DLManagedTensor* elsewhere = filled(int64_type, {2}).to_dlpack();
    elsewhere->dl_tensor.device = {kDLCUDA, 3};
    EXPECT_THROW(parcel_format::sendable({.tensors = {Tensor::adopt(elsewhere)}, .failure = {}}),
                 std::invalid_argument);
}

}  // namespace
}  // namespace rrfp
