// Guards: JSON that is nested deeper than calls go is refused before it is read; brackets in
// strings are none; any path can be written.

#include "adapters/files/bounded_json.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace rrfp {
namespace {

TEST(BoundedJson, DeepNestingIsRefused) {
    for (const int depth : {65, 1'000'000}) {
        EXPECT_THROW(parse_json(std::string(depth, '[') + std::string(depth, ']')),
                     std::invalid_argument);
        std::string objects;
        for (int i = 0; i < depth; ++i) objects += R"({"a":)";
        EXPECT_THROW(parse_json(objects), std::invalid_argument);
    }
    EXPECT_EQ(parse_json(std::string(64, '[') + std::string(64, ']')).size(), 1u);
}

TEST(BoundedJson, BracketsInStringsAreNone) {
    const std::string text = "\"\\\"" + std::string(1000, '[') + "\\\\\"";
    EXPECT_EQ(parse_json(text).get<std::string>(), "\"" + std::string(1000, '[') + "\\");
    for (const char* bad : {"", "\"", "\"\\", "{", "]"}) {
        EXPECT_THROW(parse_json(bad), nlohmann::json::exception) << bad;
    }
}

TEST(BoundedJson, BytesThatAreNoUtf8AreReplaced) {
    EXPECT_EQ(json_text("caf\xe9", -1), "\"caf\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace rrfp
