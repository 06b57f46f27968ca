#include "runtime/core/agreement/board_leader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace rrfp {
namespace {

using State = BoardEntry::State;

}  // namespace

BoardLeader::BoardLeader(Dispatcher& dispatcher, BoardMemory memory, int members, Ring ring)
    : BoardMember(dispatcher, memory, members, std::move(ring)) {}

void BoardLeader::begin_iteration() {
    BoardMember::begin_iteration();
    running_.reset();
}

void BoardLeader::ready(const Task& task, double now_ms) {
    arrive(task, now_ms);
    look();
}

std::optional<Task> BoardLeader::next(double now_ms) {
    coordination_.asked(now_ms, memory_.entry(cursor_) != BoardEntry{});
    take_common();
    const std::optional<Task> task = decide();
    if (!task) return std::nullopt;
    take(*task);
    running_ = task;
    foresee_successors(*task);
    look();
    return task;
}

void BoardLeader::completed(const Task& task, double milliseconds) {
    dispatcher_.completed(task, milliseconds);
    running_.reset();
}

void BoardLeader::look() {
    if (!running_) return;
    take_common();
    BoardEntry seen = memory_.entry(cursor_);
    if (seen.state == State::final) return;
    const std::optional<Task> choice = dispatcher_.propose_after(*running_);
    const BoardEntry with =
        choice ? BoardEntry{.state = State::provisional, .task = index_.of(*choice)} : BoardEntry{};
    if (seen == with) return;
    const bool revised = seen != BoardEntry{};
    if (write(seen, with) && revised) ++counts_.retries;
}

std::string BoardLeader::awaited() const {
    for (int index = 0; index < index_.size(); ++index) {
        const Task task = index_.task(index);
        if (here_[index] && !dispatcher_.state().is_ready(task)) {
            return fmt::format("{} on all ranks of its group; it is ready here", to_action(task));
        }
    }
    return {};
}

void BoardLeader::take_common() {
    memory_.take_common([this](int index) { dispatcher_.ready(index_.task(index)); });
}

std::optional<Task> BoardLeader::decide() {
    BoardEntry seen = memory_.entry(cursor_);
    while (seen.state != State::final) {
        const std::optional<Task> choice = dispatcher_.propose();
        if (!choice) {
            dispatcher_.wait();
            if (seen == BoardEntry{} || write(seen, {})) return std::nullopt;
            continue;
        }
        const int index = index_.of(*choice);
        const BoardEntry with{.state = here_[index] ? State::final : State::provisional,
                              .task = index};
        if ((seen == with || write(seen, with)) && with.state != State::final) return std::nullopt;
        seen = memory_.entry(cursor_);
    }
    return here_[seen.task] ? std::optional(index_.task(seen.task)) : std::nullopt;
}

bool BoardLeader::write(BoardEntry& seen, const BoardEntry& with) {
    const bool nothing_stood = seen == BoardEntry{};
    if (!memory_.replace(cursor_, seen, with)) return false;
    if (nothing_stood) {
        for (int member = 1; member < members_; ++member) ring_(member);
        counts_.messages += members_ - 1;
    }
    return true;
}

void BoardLeader::foresee_successors(const Task& task) {
    const RankState& state = dispatcher_.state();
    for (const Task& successor : state.pipeline().successors(task)) {
        if (!state.is_local(successor) || !implied(successor)) continue;
        const auto inputs = state.pipeline().predecessors(successor);
        if (std::all_of(inputs.begin(), inputs.end(),
                        [&](const Task& input) { return state.is_dispatched(input); })) {
            dispatcher_.ready(successor);
        }
    }
}

}  // namespace rrfp
