#include "adapters/command/show/table.h"

#include <algorithm>

#include <fmt/format.h>

namespace rrfp {

std::string Table::text() const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            widths[column] = std::max(widths[column], row[column].size());
        }
    }
    std::string text;
    for (const auto& row : rows_) {
        text += fmt::format("{:<{}}", row.front(), widths.front());
        for (std::size_t column = 1; column < row.size(); ++column) {
            text += fmt::format("  {:>{}}", row[column], widths[column]);
        }
        text += '\n';
    }
    return text;
}

}  // namespace rrfp
