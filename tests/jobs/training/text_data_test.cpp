// A sample is a function of its key alone, lies in its own part of the text, and a text that cannot
// be trained on is refused with its path and a remedy.
#include "adapters/jobs/training/text_data.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TextDataTest : public ::testing::Test {
  protected:
    testing::ScratchFolder folder_;

    std::string write(const std::string& text) const {
        const std::string path = folder_.file("text.txt");
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

    /// 900 distinguishable training bytes ('a'..'m'), then 100 validation bytes ('n'..'z').
    std::string thousand() const {
        std::string text;
        for (int i = 0; i < 900; ++i) text += static_cast<char>('a' + (i * 7 + i / 13) % 13);
        for (int i = 0; i < 100; ++i) text += static_cast<char>('n' + (i * 5 + i / 13) % 13);
        return write(text);
    }

    static std::string refusal(const std::string& path, int sequence = 8) {
        try {
            TextData(path, 0.1, sequence).require_validation();
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "accepted";
    }
};

std::string text_of(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

TEST_F(TextDataTest, EveryReaderDrawsTheSameSampleForAKey) {
    const TextData one(thousand(), 0.1, 32);
    const TextData other(thousand(), 0.1, 32);
    std::set<const std::uint8_t*> places;
    for (std::uint64_t iteration = 0; iteration < 4; ++iteration) {
        for (std::uint64_t microbatch = 0; microbatch < 4; ++microbatch) {
            for (std::uint64_t sample = 0; sample < 4; ++sample) {
                const SampleKey key{3, iteration, microbatch, sample};
                EXPECT_EQ(one.train(key).size(), 33u);
                EXPECT_EQ(text_of(one.train(key)), text_of(other.train(key)));
                places.insert(one.train(key).data());
            }
        }
    }
    EXPECT_GT(places.size(), 55u);  // of 64 keys over 868 places
}

TEST_F(TextDataTest, EveryWordOfTheKeyMatters) {
    const TextData text(thousand(), 0.1, 32);
    const SampleKey key{3, 5, 7, 1};
    for (const SampleKey& other : {SampleKey{4, 5, 7, 1}, SampleKey{3, 6, 7, 1},
                                   SampleKey{3, 5, 8, 1}, SampleKey{3, 5, 7, 2}}) {
        EXPECT_NE(text.train(key).data(), text.train(other).data());
    }
}

TEST_F(TextDataTest, TrainingAndValidationAreDisjointAndReachTheirEnds) {
    const TextData text(thousand(), 0.1, 8);
    EXPECT_EQ(text.train_part().size(), 900u);
    EXPECT_EQ(text.validation_part().size(), 100u);
    std::set<const std::uint8_t*> places;
    for (std::uint64_t sample = 0; sample < 2000; ++sample) {
        for (const std::uint8_t byte : text.train({0, 0, 0, sample})) ASSERT_LT(byte, 'n');
        const auto window = text.validation({0, 0, 0, sample});
        for (const std::uint8_t byte : window) ASSERT_GE(byte, 'n');
        places.insert(window.data());
    }
    EXPECT_EQ(places.size(), 92u);  // every window of 9 bytes in 100
}

TEST_F(TextDataTest, ValidationIsTheSameAtEveryIteration) {
    const TextData text(thousand(), 0.1, 8);
    EXPECT_EQ(text.validation({0, 1, 2, 3}).data(), text.validation({0, 9, 2, 3}).data());
}

TEST_F(TextDataTest, AWindowMayBeTheWholePart) {
    const TextData text(write("0123456789"), 0, 9);
    EXPECT_EQ(text_of(text.train({1, 2, 3, 4})), "0123456789");
    EXPECT_THROW(text.validation({}), std::invalid_argument);
}

TEST_F(TextDataTest, BadTextsAreRefusedWithPathAndRemedy) {
    EXPECT_THAT(refusal("/no/such/text"),
                AllOf(HasSubstr("/no/such/text"), HasSubstr("No such file"), HasSubstr("give")));
    EXPECT_THAT(refusal(::testing::TempDir()), HasSubstr("is a folder"));
    EXPECT_THAT(refusal(write("")), AllOf(HasSubstr(".txt"), HasSubstr("is empty")));
    EXPECT_THAT(refusal(write(std::string("text\0more", 9))), HasSubstr("byte 4 is NUL"));
    EXPECT_THAT(refusal(write("short")), AllOf(HasSubstr("training part has 5 bytes"),
                                               HasSubstr("needs 9"), HasSubstr("longer text")));
    EXPECT_THAT(refusal(write(std::string(40, 'x'))), HasSubstr("validation part has 4 bytes"));
}

}  // namespace
}  // namespace rrfp
