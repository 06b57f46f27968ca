#include "adapters/collectives/confirm.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "adapters/collectives/world.h"
#include "runtime/core/text_lines.h"

namespace rrfp {
namespace {

/// The most frequent of `values`, the first of equals.
std::string usual(const std::vector<std::string>& values) {
    return *std::ranges::max_element(
        values, {}, [&](const std::string& value) { return std::ranges::count(values, value); });
}

}  // namespace

void confirm_alike(const std::vector<std::pair<std::string, std::string>>& facts) {
    std::string mine;
    for (const auto& [name, value] : facts) mine += value + '\n';
    const std::vector<std::string> all = all_gather(mine);
    if (std::ranges::count(all, all.front()) == std::ssize(all)) return;

    std::string differences;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        std::vector<std::string> values;
        for (const std::string& text : all) {
            const std::vector<std::string_view> lines = lines_of(text);
            values.emplace_back(i < lines.size() ? lines[i] : "(none)");
        }
        const std::string wanted = usual(values);
        for (std::size_t rank = 0; rank < values.size(); ++rank) {
            if (values[rank] == wanted) continue;
            differences += fmt::format("\n  rank {}: {} {}, elsewhere {}", rank, facts[i].first,
                                       values[rank], wanted);
        }
    }
    throw RanksDiffer("the ranks do not run the same job:" + differences +
                      "\nStart all of them from one installation, with the same files and the same "
                      "settings");
}

}  // namespace rrfp
