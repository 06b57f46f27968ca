#include "adapters/plan/nearest.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rrfp {

int edit_distance(std::string_view a, std::string_view b) {
    const auto columns = b.size() + 1;
    std::vector<int> before_last(columns);
    std::vector<int> last(columns);
    std::vector<int> current(columns);
    for (std::size_t j = 0; j < columns; ++j) last[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = static_cast<int>(i);
        for (std::size_t j = 1; j < columns; ++j) {
            const int substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({last[j] + 1, current[j - 1] + 1, substitution});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
        }
        std::swap(before_last, last);
        std::swap(last, current);
    }
    return last[b.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
    std::optional<std::string> found;
    int least = static_cast<int>(word.size()) / 3 + 1;
    for (const std::string& candidate : candidates) {
        // So many letters must come or go at least; nobody meant a word of a megabyte.
        const auto letters = static_cast<std::int64_t>(word.size());
        if (std::abs(letters - std::ssize(candidate)) >= least) continue;
        const int distance = edit_distance(word, candidate);
        if (distance < least) {
            least = distance;
            found = candidate;
        }
    }
    return found;
}

std::string known_words(std::string_view word, std::span<const std::string> known) {
    const auto near = nearest(word, known);
    return fmt::format("{} {}", near ? fmt::format("did you mean {}? Known:", *near) : "known:",
                       fmt::join(known, ", "));
}

}  // namespace rrfp
