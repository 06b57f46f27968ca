// What is read is bit for bit what was written; a file that is not exactly what is expected is
// refused with file, tensor, expected and found, and then nothing has been overwritten.
#include "adapters/files/tensor_file.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "adapters/files/sha256.h"
#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TensorFileTest : public ::testing::Test {
  protected:
    void SetUp() override {
        digest_ = write_tensor_file(path_, tensors(written_), {{"iteration", "7"}});
    }

    struct Values {
        std::vector<float> weight;
        std::vector<float> bias;
    };
    static std::vector<NamedTensor> tensors(Values& values) {
        return {{"weight", {2, 3}, std::as_writable_bytes(std::span(values.weight))},
                {"bias", {2}, std::as_writable_bytes(std::span(values.bias))}};
    }

    std::string refusal(const std::vector<NamedTensor>& expected) {
        try {
            read_tensor_file(path_, expected);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "accepted";
    }
    std::string refusal() { return refusal(tensors(read_)); }
    void overwrite(const std::string& bytes) const {
        std::ofstream(path_, std::ios::binary) << bytes;
    }
    std::string bytes() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    testing::ScratchFolder folder_;
    const std::string path_ = folder_.file("tensors.safetensors");
    Values written_{
        {1, -0.0f, std::numeric_limits<float>::denorm_min(), 3e38f,
         std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()},
        {5, 6}};
    FileDigest digest_;
    Values read_{std::vector<float>(6), std::vector<float>(2)};
};

TEST_F(TensorFileTest, EveryBitComesBack) {
    const TensorFileFacts facts = read_tensor_file(path_, tensors(read_));
    EXPECT_EQ(facts.notes, (TensorFileNotes{{"iteration", "7"}}));
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(std::bit_cast<std::uint32_t>(read_.weight[i]),
                  std::bit_cast<std::uint32_t>(written_.weight[i]));
    }
    EXPECT_EQ(read_.bias, written_.bias);
}

TEST_F(TensorFileTest, TheLayoutIsThatOfTheFormat) {
    const std::string file = bytes();
    std::uint64_t length = 0;
    std::copy_n(file.begin(), 8, reinterpret_cast<char*>(&length));
    ASSERT_EQ(file.size(), 8 + length + 8 * sizeof(float));
    EXPECT_EQ(length % 8, 0u);
    const auto header = nlohmann::json::parse(file.substr(8, length));
    EXPECT_EQ(header["__metadata__"]["iteration"], "7");
    EXPECT_EQ(header["weight"],
              nlohmann::json::parse(R"({"dtype":"F32","shape":[2,3],"data_offsets":[0,24]})"));
    EXPECT_EQ(header["bias"]["data_offsets"], nlohmann::json::parse("[24,32]"));
}

// Writer and reader take the digest on the way; it must be that of the file itself.
TEST_F(TensorFileTest, TheDigestIsThatOfTheFilesBytes) {
    const std::string whole = bytes();
    EXPECT_EQ(digest_.bytes, whole.size());
    EXPECT_EQ(digest_.sha256, sha256_hex(whole.data(), whole.size()));
    EXPECT_EQ(read_tensor_file(path_, tensors(read_)).digest, digest_);
    std::vector<NamedTensor> backwards = tensors(read_);
    std::ranges::reverse(backwards);
    EXPECT_EQ(read_tensor_file(path_, backwards).digest, digest_);
    for (std::size_t place = 0; place < whole.size(); ++place) {
        std::string damaged = whole;
        damaged[place] ^= 1;
        overwrite(damaged);
        try {
            EXPECT_NE(read_tensor_file(path_, tensors(read_)).digest, digest_) << place;
        } catch (const std::runtime_error& refused) {
            EXPECT_THAT(refused.what(), HasSubstr(path_));  // in the header
        }
    }
}

TEST_F(TensorFileTest, AMissingFileIsRefused) {
    std::filesystem::remove(path_);
    EXPECT_THAT(refusal(), AllOf(HasSubstr(path_), HasSubstr("No such file")));
}

TEST_F(TensorFileTest, AFileCutShortAnywhereIsRefusedAndNothingIsOverwritten) {
    const std::string whole = bytes();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        overwrite(whole.substr(0, size));
        EXPECT_THAT(refusal(), HasSubstr(path_)) << size;
        EXPECT_EQ(read_.weight, std::vector<float>(6)) << size;
    }
}

TEST_F(TensorFileTest, AnotherShapeIsRefusedWithExpectedAndFound) {
    std::vector<NamedTensor> expected = tensors(read_);
    expected[0].shape = {3, 2};
    EXPECT_THAT(refusal(expected), AllOf(HasSubstr("weight: expected F32[3,2]"),
                                         HasSubstr("found F32[2,3]"), HasSubstr(path_)));
}

TEST_F(TensorFileTest, ATensorTooFewOrTooManyIsRefused) {
    std::vector<NamedTensor> expected = tensors(read_);
    expected[1].name = "gain";
    EXPECT_THAT(refusal(expected), HasSubstr("gain: expected F32[2], found none"));
    expected.pop_back();
    EXPECT_THAT(refusal(expected), HasSubstr("bias: found F32[2], expected none"));
}

TEST_F(TensorFileTest, AHeaderThatLiesIsRefused) {
    for (const char* header : {"[]", "not json", R"({"weight": 3})",
                               R"({"weight":{"dtype":"F32","shape":[2,3],"data_offsets":[24,0]},
                                   "bias":{"dtype":"F32","shape":[2],"data_offsets":[24,32]}})",
                               R"({"weight":{"dtype":"I32","shape":[2,3],"data_offsets":[0,24]},
                                   "bias":{"dtype":"F32","shape":[2],"data_offsets":[24,32]}})"}) {
        std::string file(8, '\0');
        file[0] = static_cast<char>(std::string(header).size());
        file[1] = static_cast<char>(std::string(header).size() >> 8);
        overwrite(file + header + std::string(32, 'x'));
        EXPECT_THAT(refusal(), HasSubstr(path_)) << header;
    }
}

}  // namespace
}  // namespace rrfp
