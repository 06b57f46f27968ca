// Guards: a key of many parts is found, whatever stands around it, and what only looks like one is
// not.

#include "adapters/jobs/file/toml_depth.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

std::string dotted(int parts, const std::string& part = "a") {
    return fmt::format("{}", fmt::join(std::vector<std::string>(parts, part), "."));
}

TEST(TomlDepth, FindsDeepKeysAndTheirLine) {
    for (const char* part : {"a", "\"a\"", "'a.b'", " a "}) {
        EXPECT_EQ(deep_key(fmt::format("\n\n{} = 1\n", dotted(17, part))), 3) << part;
        EXPECT_EQ(deep_key(fmt::format("[{}]", dotted(17, part))), 1) << part;
        EXPECT_EQ(deep_key(fmt::format("x = {{{} = 1}}", dotted(17, part))), 1) << part;
        EXPECT_FALSE(deep_key(fmt::format("{} = 1", dotted(16, part)))) << part;
    }
    EXPECT_EQ(deep_key(fmt::format("x = '''\n\n'''\n{} = 1", dotted(17))), 4);
    EXPECT_EQ(deep_key(fmt::format("x = \"\\\"\" # {}\n{} = 1", dotted(30), dotted(17))), 2);
}

TEST(TomlDepth, TextsCommentsAndNumbersAreNoKeys) {
    const std::string deep = dotted(30);
    for (const std::string& text : std::vector<std::string>{
             "", "'", "\"", "'''", "\"\"\"", "\"\\", "#", fmt::format("x = '{}'", deep),
             fmt::format("x = \"{}\\\"{}\"", deep, deep), fmt::format("# {}", deep),
             fmt::format("x = \"\"\"\n{}\n\"\"\"", deep), fmt::format("x = '''\n{}\n'''", deep),
             fmt::format("x = [{}]", fmt::join(std::vector<double>(100, 1.5), ", "))}) {
        EXPECT_FALSE(deep_key(text)) << text;
    }
}

}  // namespace
}  // namespace rrfp
