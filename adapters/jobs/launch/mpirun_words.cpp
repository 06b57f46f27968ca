#include "adapters/jobs/launch/mpirun_words.h"

#include <algorithm>
#include <array>

namespace rrfp {
namespace {

/// What stands before and after each notice.
const std::string rule(74, '-');

/// More is no notice, but a rank that draws such lines.
constexpr std::size_t longest_notice = 16384;

/// What mpirun says of an end: in our own words it is told once, and with what we know of it.
constexpr std::array end_notices = {
    "job  terminated normally, but",
    " noticed that process rank ",
    " noticed that the job aborted",
    " has exited due to process rank ",
    " has exited due to a process exiting without calling",
    " detected that one or more processes exited with non-zero status",
    "MPI_ABORT was invoked on rank ",
    " is in the process of killing a job, but has detected an",
};

/// Lines without a rule that follow several notices of one kind.
constexpr std::array end_lines = {
    " sent help message help-mpi-api.txt / mpi-abort",
    "Set MCA parameter \"orte_base_help_aggregate\" to 0 to see all help",
    "mpirun: Forwarding signal ",
    "mpirun: abort is already in progress",
    "mpirun: killing job...",
};

template <std::size_t Size>
bool contains_one(std::string_view text, const std::array<const char*, Size>& parts) {
    return std::ranges::any_of(
        parts, [text](const char* part) { return text.find(part) != std::string_view::npos; });
}

/// The notice in one line's blanks, since mpirun breaks lines where it likes.
std::string unbroken(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

bool may_become_rule(std::string_view text) {
    return text.size() <= rule.size() && text.find_first_not_of('-') == std::string_view::npos;
}

}  // namespace

void MpirunWords::take(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        line_ += bytes.substr(0, end);
        if (end == std::string_view::npos) break;
        bytes.remove_prefix(end + 1);
        if (line_shown_) {
            show(line_ + '\n');
        } else {
            take_line(line_);
        }
        line_.clear();
        line_shown_ = false;
    }
    // A line that somebody is still writing is shown as it grows, unless it may be a rule or one of
    // mpirun's own: these come whole.
    const bool mpiruns = std::string_view(line_).starts_with("mpirun") || line_.starts_with("[");
    if (!in_notice_ && !line_.empty() && (line_shown_ || (!may_become_rule(line_) && !mpiruns))) {
        show(line_);
        line_.clear();
        line_shown_ = true;
    }
}

void MpirunWords::take_line(const std::string& line) {
    if (in_notice_) {
        if (line == rule) return end_notice();
        notice_ += line + '\n';
        if (notice_.size() < longest_notice) return;
        in_notice_ = false;
        show(rule + '\n' + notice_);
        notice_.clear();
    } else if (line == rule) {
        in_notice_ = true;
    } else if (contains_one(line, end_lines)) {
        held_.push_back(line + '\n');
    } else {
        show(line + '\n');
    }
}

void MpirunWords::end_notice() {
    in_notice_ = false;
    if (contains_one(unbroken(notice_), end_notices)) {
        held_.push_back(notice_);
    } else if (!notice_.empty()) {
        show(rule + '\n' + notice_ + rule + '\n');
    }
    notice_.clear();
}

void MpirunWords::finish() {
    if (in_notice_) {
        if (!line_.empty()) notice_ += line_ + '\n';
        end_notice();
    } else {
        show(line_);
    }
    line_.clear();
}

void MpirunWords::show(std::string_view text) {
    if (text.empty()) return;
    passed_ = true;
    passed_message_ = passed_message_ || text.starts_with("rrfp: ");
    pass_(text);
}

}  // namespace rrfp
