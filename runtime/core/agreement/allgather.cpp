#include "runtime/core/agreement/allgather.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace rrfp {
namespace {

constexpr std::uint64_t none = 0;
/// As many choices as a vote has bits for; with more than 64 members the later ones have no say.
constexpr std::size_t most_disputed = 64;

}  // namespace

AllgatherMember::AllgatherMember(Dispatcher& dispatcher, int member, int members, bool same_clock)
    : dispatcher_(dispatcher),
      member_(member),
      members_(members),
      same_clock_(same_clock),
      index_(dispatcher.state()),
      ready_ms_(index_.size()) {
    if (member < 0 || member >= members) {
        throw std::invalid_argument(
            fmt::format("agreement: {} is none of {} members", member, members));
    }
    for (Round& each : rounds_) each.of.resize(members);
}

void AllgatherMember::begin_iteration() {
    dispatcher_.begin_iteration();
    changed_ = false;
    coordination_.reset();
    counts_ = {};
}

void AllgatherMember::ready(const Task& task, double now_ms) {
    dispatcher_.ready(task);
    ready_ms_[index_.of(task)] = now_ms;
    changed_ = true;
}

void AllgatherMember::completed(const Task& task, double milliseconds) {
    dispatcher_.completed(task, milliseconds);
    changed_ = true;
}

std::optional<Task> AllgatherMember::next(double now_ms) {
    coordination_.asked(now_ms, false);  // a member proposes with its worker free
    while (in_round_ || join(now_ms)) {
        if (round(number_).joined < members_) return std::nullopt;
        if (const std::optional<Task> task = close()) {
            take(*task);
            return task;
        }
    }
    return std::nullopt;
}

bool AllgatherMember::join(double now_ms) {
    if (!disputed_.empty()) {
        tell(votes(), coordination_.asked_ms());
        return true;
    }
    const bool opened = round(number_).joined > 0;
    if (!opened && !changed_) return false;
    const std::optional<Task> choice = dispatcher_.propose();
    if (!opened && !choice) return false;
    changed_ = false;
    if (choice) {
        const int index = index_.of(*choice);
        tell(static_cast<std::uint64_t>(index) + 1,
             std::max(coordination_.asked_ms(), ready_ms_[index]));
    } else {
        tell(none, now_ms);
    }
    return true;
}

void AllgatherMember::tell(std::uint64_t value, double since_ms) {
    outgoing_.push_back({.round = number_, .value = value, .since_ms = since_ms});
    count(member_, outgoing_.back());
    in_round_ = true;
    counts_.messages += members_ - 1;
}

void AllgatherMember::count(int member, const Proposal& proposal) {
    Round& at = round(proposal.round);
    at.of[member] = proposal;
    ++at.joined;
}

void AllgatherMember::receive(int member, const Proposal& proposal) {
    const bool due = proposal.round == number_ || (in_round_ && proposal.round == number_ + 1);
    if (member < 0 || member >= members_ || member == member_ || !due ||
        round(proposal.round).of[member]) {
        throw std::logic_error(
            fmt::format("agreement: a proposal of member {} for round {} arrived in round {}",
                        member, proposal.round, number_));
    }
    count(member, proposal);
}

void AllgatherMember::take_outgoing(std::vector<Proposal>& taken) {
    taken.clear();
    std::swap(taken, outgoing_);
}

std::optional<Task> AllgatherMember::close() {
    const Round ended = std::exchange(round(number_), {});
    round(number_).of.resize(members_);
    ++number_;
    in_round_ = false;
    everywhere_ms_ = 0;
    for (const auto& each : ended.of) everywhere_ms_ = std::max(everywhere_ms_, each->since_ms);
    if (!same_clock_) everywhere_ms_ = ended.of[member_]->since_ms;
    const auto task = disputed_.empty() ? close_choices(ended) : close_vote(ended);
    if (!task) ++counts_.retries;
    return task;
}

std::optional<Task> AllgatherMember::close_choices(const Round& ended) {
    std::vector<Task> choices;
    for (const auto& each : ended.of) {
        if (each->value == none) {
            dispatcher_.wait();
            return std::nullopt;
        }
        const Task task = index_.task(static_cast<int>(each->value - 1));
        if (std::find(choices.begin(), choices.end(), task) == choices.end()) {
            choices.push_back(task);
        }
    }
    if (choices.size() == 1) return choices.front();
    choices.resize(std::min(choices.size(), most_disputed));
    disputed_ = std::move(choices);
    return std::nullopt;
}

std::optional<Task> AllgatherMember::close_vote(const Round& ended) {
    std::uint64_t all = ~std::uint64_t{0};
    for (const auto& each : ended.of) all &= each->value;
    const std::vector<Task> choices = std::exchange(disputed_, {});
    if (all != 0) return choices[std::countr_zero(all)];
    dispatcher_.wait();
    return std::nullopt;
}

std::uint64_t AllgatherMember::votes() {
    std::uint64_t votes = 0;
    for (std::size_t bit = 0; bit < disputed_.size(); ++bit) {
        if (dispatcher_.admits(disputed_[bit])) votes |= std::uint64_t{1} << bit;
    }
    return votes;
}

void AllgatherMember::take(const Task& task) {
    dispatcher_.commit(task);
    changed_ = true;
    // When a member on another clock began the iteration is unknown.
    const bool unknown = !same_clock_ && counts_.decisions == 0;
    coordination_.decided(
        unknown ? std::nullopt
                : std::optional(std::max(everywhere_ms_, ready_ms_[index_.of(task)])));
    ++counts_.decisions;
}

void AllgatherMember::dispatched(double now_ms) { coordination_.dispatched(now_ms); }

std::string AllgatherMember::awaited() const {
    if (!in_round_) return {};
    std::string missing;
    for (int member = 0; member < members_; ++member) {
        if (!round(number_).of[member]) missing += fmt::format(" {}", member);
    }
    return fmt::format("the proposals of members{} of its group", missing);
}

}  // namespace rrfp
