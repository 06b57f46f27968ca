#include "runtime/simulation/durations_csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "runtime/core/shown_text.h"
#include "runtime/core/text_lines.h"

namespace rrfp {
namespace {

constexpr std::string_view header = "kind,stage,microbatch,ms";
/// Sums over an iteration stay far from where numbers end.
constexpr double most_ms = 1e12;

/// One kind of row: the tasks of a kind, or the messages that carry their results.
struct RowKind {
    const char* name;
    TaskKind task;
    bool is_message;
};

constexpr std::array<RowKind, 5> row_kinds = {{{"F", TaskKind::forward, false},
                                               {"B", TaskKind::backward, false},
                                               {"W", TaskKind::weight_gradient, false},
                                               {"SEND_F", TaskKind::forward, true},
                                               {"SEND_B", TaskKind::backward, true}}};

/// Whether an iteration of `pipeline` has such rows at all.
bool exists(const Pipeline& pipeline, const RowKind& row) {
    return static_cast<int>(row.task) < pipeline.kinds();
}

/// Whether the file must have the row: all tasks, and messages that cross ranks.
bool is_needed(const Pipeline& pipeline, const RowKind& row, int stage) {
    return !row.is_message || pipeline.sends_message({row.task, stage, 0});
}

using Fields = std::array<std::string_view, 4>;

class Reader {
  public:
    Reader(const Pipeline& pipeline, std::string_view text, const std::string& source)
        : pipeline_(pipeline), text_(text), source_(source), result_(pipeline) {
        const auto cells = static_cast<std::size_t>(result_.stages()) *
                           static_cast<std::size_t>(result_.microbatches());
        lines_.fill(std::vector<int>(cells, 0));
    }

    Durations read() {
        for (const std::string_view line : lines_of(text_)) {
            ++line_;
            const std::string_view row = trimmed(line);
            if (!row.empty()) {
                take(split(row));
                is_first_row_ = false;
            }
        }
        if (is_first_row_) {
            throw std::invalid_argument(
                fmt::format("{}: is empty; a durations table has rows of {}", source_, header));
        }
        for (const RowKind& kind : row_kinds) {
            if (!kind.is_message || has_messages_) {
                require_all(kind);
            }
        }
        return result_;
    }

  private:
    void take(const Fields& fields) {
        if (is_first_row_ && fmt::format("{}", fmt::join(fields, ",")) == header) {
            return;
        }
        const std::size_t kind = kind_of(fields[0]);
        const int stage = index(fields[1], "stage", result_.stages());
        const int microbatch = index(fields[2], "microbatch", result_.microbatches());
        const double ms = milliseconds(fields[3]);
        int& first = lines_[kind][cell(stage, microbatch)];
        if (first != 0) {
            fail(fmt::format("a second row for {},{},{}, which line {} gave; keep one",
                             row_kinds[kind].name, stage, microbatch, first));
        }
        first = line_;
        has_messages_ = has_messages_ || row_kinds[kind].is_message;
        const Task task{row_kinds[kind].task, stage, microbatch};
        if (!is_needed(pipeline_, row_kinds[kind], stage)) {
            return;
        }
        row_kinds[kind].is_message ? result_.set_message_ms(task, ms)
                                   : result_.set_task_ms(task, ms);
    }

    Fields split(std::string_view row) const {
        const std::vector<std::string_view> parts = parts_of(row, ',');
        Fields fields;
        if (parts.size() != fields.size()) {
            fail(fmt::format("'{}' has {} fields; a row is {}", shown(row), parts.size(), header));
        }
        std::ranges::transform(parts, fields.begin(), trimmed);
        return fields;
    }

    std::size_t kind_of(std::string_view field) const {
        // As reports and traces call the input gradient where the weight gradient is split off.
        if (pipeline_.split_weight && field == "I") field = "B";
        for (std::size_t kind = 0; kind < row_kinds.size(); ++kind) {
            if (field == row_kinds[kind].name) {
                if (!exists(pipeline_, row_kinds[kind])) {
                    fail(
                        fmt::format("kind {} in an iteration without such tasks; drop the row, or "
                                    "split the backward (W) or run backwards (B)",
                                    field));
                }
                return kind;
            }
        }
        fail(fmt::format("kind '{}'; kinds are F, B, W, SEND_F and SEND_B", shown(field)));
    }

    int index(std::string_view field, const char* what, int count) const {
        int value = 0;
        const auto [end, error] = std::from_chars(field.begin(), field.end(), value);
        if (field.empty() || error != std::errc() || end != field.end()) {
            fail(fmt::format("{} '{}' is not a whole number", what, shown(field)));
        }
        if (value < 0 || value >= count) {
            fail(fmt::format("{} {} is outside 0 to {}; the table is of another job", what, value,
                             count - 1));
        }
        return value;
    }

    double milliseconds(std::string_view field) const {
        double value = 0;
        const auto [end, error] = std::from_chars(field.begin(), field.end(), value);
        if (field.empty() || error != std::errc() || end != field.end() || !std::isfinite(value)) {
            fail(fmt::format("ms '{}' is not a finite number", shown(field)));
        }
        if (value < 0) {
            fail(fmt::format("ms {} is negative; durations are 0 or more", shown(field)));
        }
        if (value > most_ms) {
            fail(fmt::format("ms {} is more than {}, thirty years; give milliseconds", shown(field),
                             most_ms));
        }
        return value;
    }

    void require_all(const RowKind& kind) const {
        if (!exists(pipeline_, kind)) {
            return;
        }
        for (int stage = 0; stage < result_.stages(); ++stage) {
            for (int microbatch = 0; microbatch < result_.microbatches(); ++microbatch) {
                const auto& lines = lines_[&kind - row_kinds.data()];
                if (is_needed(pipeline_, kind, stage) && lines[cell(stage, microbatch)] == 0) {
                    throw std::invalid_argument(fmt::format(
                        "{}, line {}: the table ends without a row {},{},{}; give every task and "
                        "every message between ranks one row, or no message a row",
                        source_, line_, kind.name, stage, microbatch));
                }
            }
        }
    }

    std::size_t cell(int stage, int microbatch) const {
        return static_cast<std::size_t>(stage) * result_.microbatches() + microbatch;
    }

    [[noreturn]] void fail(const std::string& problem) const {
        throw std::invalid_argument(fmt::format("{}, line {}: {}", source_, line_, problem));
    }

    const Pipeline& pipeline_;
    std::string_view text_;
    const std::string& source_;
    Durations result_;
    std::array<std::vector<int>, row_kinds.size()> lines_;  // where each row was given, 0 = nowhere
    int line_ = 0;
    bool is_first_row_ = true;
    bool has_messages_ = false;  // rows of messages, be it of ones that go nowhere
};

}  // namespace

Durations parse_durations_csv(const Pipeline& pipeline, std::string_view text,
                              const std::string& source) {
    return Reader(pipeline, text, source).read();
}

void write_durations_csv(const Pipeline& pipeline, const Durations& durations, std::ostream& out) {
    fmt::print(out, "{}\n", header);
    for (const RowKind& kind : row_kinds) {
        if (!exists(pipeline, kind)) {
            continue;
        }
        for (int stage = 0; stage < durations.stages(); ++stage) {
            if (!is_needed(pipeline, kind, stage)) {
                continue;
            }
            for (int microbatch = 0; microbatch < durations.microbatches(); ++microbatch) {
                const Task task{kind.task, stage, microbatch};
                fmt::print(out, "{},{},{},{}\n", kind.name, stage, microbatch,
                           kind.is_message ? durations.message_ms(task) : durations.task_ms(task));
            }
        }
    }
}

}  // namespace rrfp
