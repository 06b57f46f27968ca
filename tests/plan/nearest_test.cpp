// Guards: suggestions are those of the optimal string alignment distance.

#include "adapters/plan/nearest.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

/// The definition, word for word, exponential.
int reference(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty()) return static_cast<int>(std::max(a.size(), b.size()));
    const auto shorter = [](std::string_view s, std::size_t n) {
        return s.substr(0, s.size() - n);
    };
    int best = std::min({reference(shorter(a, 1), b) + 1, reference(a, shorter(b, 1)) + 1,
                         reference(shorter(a, 1), shorter(b, 1)) + (a.back() != b.back())});
    if (a.size() > 1 && b.size() > 1 && a.back() == b[b.size() - 2] &&
        a[a.size() - 2] == b.back()) {
        best = std::min(best, reference(shorter(a, 2), shorter(b, 2)) + 1);
    }
    return best;
}

TEST(Nearest, DistanceFollowsItsDefinition) {
    const std::vector<std::string> words = {"",    "a",   "ab",    "ba",   "abc",
                                            "bac", "cab", "limit", "limti"};
    for (const auto& a : words) {
        for (const auto& b : words)
            EXPECT_EQ(edit_distance(a, b), reference(a, b)) << a << " " << b;
    }
}

TEST(Nearest, FindsTheLeastDistance) {
    const std::vector<std::string> keys = {"pipeline", "tensor", "data"};
    EXPECT_EQ(nearest("pipelin", keys), "pipeline");
    EXPECT_EQ(nearest("date", keys), "data");
}

TEST(Nearest, AWordThatIsFarFromAllHasNoSuggestion) {
    const std::vector<std::string> words = {"bf", "b-priority", "fixed"};
    EXPECT_EQ(nearest("foo", words), std::nullopt);
    EXPECT_EQ(nearest("", words), std::nullopt);
    EXPECT_EQ(nearest("fixes", words), "fixed");
    EXPECT_EQ(nearest("mixes", words), std::nullopt);  // two letters of five
    EXPECT_EQ(known_words("foo", words), "known: bf, b-priority, fixed");
    EXPECT_EQ(known_words("fixes", words), "did you mean fixed? Known: bf, b-priority, fixed");
}

}  // namespace
}  // namespace rrfp
