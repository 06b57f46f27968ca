// A header is taken only if its tensors fill the file exactly; whatever else it says, in numbers of
// any size, is refused with what is wrong, before memory of its claimed size is touched.
#include "adapters/files/safetensors_header.h"

#include <cstdint>
#include <cstring>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string length_bytes(std::uint64_t length) {
    std::string bytes(sizeof length, '\0');
    std::memcpy(bytes.data(), &length, sizeof length);
    return bytes;
}

std::string file_of(const std::string& header, std::size_t data_bytes) {
    return length_bytes(header.size()) + header + std::string(data_bytes, 'x');
}

SafetensorsHeader read(const std::string& file, std::uint64_t size) {
    std::istringstream stream(file);
    return read_safetensors_header(stream, size);
}

std::string fault(const std::string& file, std::uint64_t size) {
    try {
        read(file, size);
    } catch (const SafetensorsFault& error) {
        return error.what();
    }
    return "accepted";
}
std::string fault(const std::string& file) { return fault(file, file.size()); }

/// Of a file whose only tensor, "t", has this entry, before eight bytes of data.
std::string fault_of_entry(const std::string& entry) {
    return fault(file_of(R"({"t":)" + entry + "}", 8));
}

TEST(SafetensorsHeader, GivesNotesAndTensorsInAnyOrderOfNames) {
    const std::string text = R"({"b":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
                             R"("__metadata__":{"iteration":"7"},)"
                             R"("empty":{"dtype":"F32","shape":[0,3],"data_offsets":[4,4]},)"
                             R"("a":{"dtype":"BF16","shape":[1,2],"data_offsets":[4,8]}})";
    const SafetensorsHeader header = read(file_of(text, 8), 8 + text.size() + 8);
    EXPECT_EQ(header.notes, (std::map<std::string, std::string>{{"iteration", "7"}}));
    EXPECT_EQ(header.data_begin, 8 + text.size());
    ASSERT_EQ(header.tensors.size(), 3u);
    const SafetensorsEntry& a = header.tensors.at("a");
    EXPECT_EQ(a.type, "BF16");
    EXPECT_THAT(a.shape, ElementsAre(1, 2));
    EXPECT_EQ(a.begin, 4u);
    EXPECT_EQ(a.end, 8u);
}

TEST(SafetensorsHeader, NoTensorsAndNoDataAreAFile) {
    EXPECT_EQ(fault(file_of("{}", 0)), "accepted");
    EXPECT_EQ(fault(file_of(R"({"__metadata__":{}}    )", 0)), "accepted");
}

TEST(SafetensorsHeader, ALengthBeyondTheFileIsRefused) {
    for (std::size_t size = 0; size < 8; ++size) {
        EXPECT_THAT(fault(std::string(size, '\0')), StartsWith("cut short or of another format"));
    }
    for (const std::uint64_t length : {std::uint64_t{3}, ~std::uint64_t{0}, ~std::uint64_t{7}}) {
        EXPECT_THAT(fault(length_bytes(length) + "{}"),
                    AllOf(HasSubstr("cut short"), HasSubstr("10 bytes")))
            << length;
    }
}

TEST(SafetensorsHeader, AHeaderLongerThanTheFormatAllowsIsRefusedUnread) {
    EXPECT_THAT(fault(length_bytes(100'000'001), std::uint64_t{1} << 40),
                AllOf(HasSubstr("100000001 bytes"), HasSubstr("allows 100000000")));
}

TEST(SafetensorsHeader, AFileThatEndsBeforeItsSizeCannotBeRead) {
    EXPECT_EQ(fault("", 64), "cannot be read");
    EXPECT_EQ(fault(length_bytes(56) + "{}", 64), "cannot be read");
}

TEST(SafetensorsHeader, WhatIsNoObjectOfEntriesIsRefused) {
    for (const char* header :
         {"", "not json", "[]", "7", "{", "{}x", R"({"t":3})", R"({"t":[]})", R"({"t":{}})",
          "\"\xff\"", R"({"__metadata__":3})", R"({"__metadata__":{"iteration":7}})"}) {
        EXPECT_THAT(fault(file_of(header, 0)), StartsWith("its header is damaged")) << header;
    }
}

TEST(SafetensorsHeader, EntriesWithoutTypeShapeAndTwoOffsetsAreRefused) {
    EXPECT_EQ(fault_of_entry(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})"), "accepted");
    for (const char* entry :
         {R"({"shape":[2],"data_offsets":[0,8]})",
          R"({"dtype":32,"shape":[2],"data_offsets":[0,8]})",
          R"({"dtype":"F32","data_offsets":[0,8]})",
          R"({"dtype":"F32","shape":2,"data_offsets":[0,8]})", R"({"dtype":"F32","shape":[2]})",
          R"({"dtype":"F32","shape":[2],"data_offsets":8})",
          R"({"dtype":"F32","shape":[2],"data_offsets":[8]})",
          R"({"dtype":"F32","shape":[2],"data_offsets":[0,8,8]})",
          R"({"dtype":"F32","shape":[2],"data_offsets":{"0":0,"1":8}})"}) {
        EXPECT_THAT(fault_of_entry(entry), StartsWith("its header is damaged")) << entry;
    }
}

TEST(SafetensorsHeader, NumbersThatAreNoPlaceOrLengthAreRefusedAndNeverWrap) {
    for (const char* number :
         {"-1", "-18446744073709551608", "2.0", "1e30", "\"8\"", "null", "9223372036854775808",
          "18446744073709551615", "18446744073709551624"}) {
        const std::string text(number);
        for (const std::string& entry :
             {R"({"dtype":"F32","shape":[2],"data_offsets":[0,)" + text + "]}",
              R"({"dtype":"F32","shape":[2],"data_offsets":[)" + text + ",8]}",
              R"({"dtype":"F32","shape":[)" + text + R"(],"data_offsets":[0,8]})"}) {
            EXPECT_THAT(fault_of_entry(entry), AllOf(StartsWith("its header is damaged"),
                                                     HasSubstr("t: "), HasSubstr("whole number")))
                << entry;
        }
    }
}

TEST(SafetensorsHeader, TensorsThatDoNotFillTheDataOneAfterTheOtherAreRefused) {
    const auto fault_of_places = [](const std::string& a, const std::string& b) {
        return fault(file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)" + a +
                                 R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + b + "}}",
                             8));
    };
    EXPECT_EQ(fault_of_places("[4,8]", "[0,4]"), "accepted");
    EXPECT_THAT(fault_of_places("[0,4]", "[5,8]"), HasSubstr("b: its place is 5 to 8"));
    EXPECT_THAT(fault_of_places("[0,4]", "[3,8]"), HasSubstr("b: its place is 3 to 8"));
    EXPECT_THAT(fault_of_places("[0,4]", "[0,4]"), HasSubstr("b: its place is 0 to 4"));
    EXPECT_THAT(fault_of_places("[1,4]", "[4,8]"), HasSubstr("a: its place is 1 to 4"));
    EXPECT_THAT(fault_of_places("[0,8]", "[8,4]"), HasSubstr("b: its place is 8 to 4"));
    EXPECT_THAT(fault_of_places("[0,4]", "[4,7]"),
                HasSubstr("its header names 7 bytes of data, 8 follow"));
    EXPECT_THAT(fault_of_places("[0,4]", "[4,9223372036854775807]"),
                StartsWith("cut short: its header names 9223372036854775807 bytes"));
}

}  // namespace
}  // namespace rrfp
