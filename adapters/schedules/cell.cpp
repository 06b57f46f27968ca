#include "adapters/schedules/cell.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <fmt/format.h>

#include "runtime/core/shown_text.h"
#include "runtime/core/text_lines.h"

namespace rrfp {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view overlap = ")OVERLAP_F_B";

/// Whether `cell` is a stage, a word of communication, and a microbatch where the word takes one.
bool is_communication(std::string_view cell) {
    static constexpr std::array<std::string_view, 4> of_microbatches = {"SEND_F", "RECV_F",
                                                                        "SEND_B", "RECV_B"};
    static constexpr std::array<std::string_view, 3> of_stages = {"UNSHARD", "RESHARD",
                                                                  "REDUCE_GRAD"};
    const auto begin = std::min(cell.find_first_not_of(digits), cell.size());
    const auto end = cell.find_last_not_of(digits) + 1;
    if (begin == 0 || begin >= end) {
        return false;
    }
    const std::string_view word = cell.substr(begin, end - begin);
    const auto& known = [&](const auto& words) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    return end == cell.size() ? known(of_stages) : known(of_microbatches);
}

std::vector<Action> parse_overlap(std::string_view cell) {
    const std::string_view inside = cell.substr(1, cell.size() - 1 - overlap.size());
    std::vector<Action> actions;
    for (const std::string_view part : parts_of(inside, ';')) {
        if (const auto action = trimmed(part); !action.empty()) {
            actions.push_back(parse_cell(action));
        }
    }
    if (actions.empty()) {
        throw std::invalid_argument(
            fmt::format("'{}' holds no action; write those that overlap, or nothing", shown(cell)));
    }
    return actions;
}

}  // namespace

std::vector<Action> parse_csv_cell(std::string_view cell) {
    const std::string_view text = trimmed(cell);
    if (text.empty() || is_communication(text)) {
        return {};
    }
    if (text.starts_with('(') && text.ends_with(overlap)) {
        return parse_overlap(text);
    }
    return {parse_cell(text)};
}

}  // namespace rrfp
