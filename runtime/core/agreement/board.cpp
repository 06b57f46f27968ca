#include "runtime/core/agreement/board.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "runtime/core/agreement/board_leader.h"

namespace rrfp {
namespace {

/// A member that runs what the leader decides.
class BoardFollower final : public BoardMember {
  public:
    BoardFollower(Dispatcher& dispatcher, BoardMemory memory, int members, Ring ring)
        : BoardMember(dispatcher, memory, members, std::move(ring)) {}

    void ready(const Task& task, double now_ms) override {
        dispatcher_.ready(task);
        if (arrive(task, now_ms)) ring_(0);
    }

    std::optional<Task> next(double now_ms) override {
        BoardEntry entry = memory_.entry(cursor_);
        coordination_.asked(now_ms, entry != BoardEntry{});
        while (entry != BoardEntry{}) {
            if (!here_[entry.task]) return std::nullopt;  // it comes from this rank's last task
            const BoardEntry final{.state = BoardEntry::State::final, .task = entry.task};
            if (entry == final || memory_.replace(cursor_, entry, final)) {
                const Task task = index_.task(entry.task);
                take(task);
                return task;
            }
        }
        return std::nullopt;
    }

    void completed(const Task& task, double milliseconds) override {
        dispatcher_.completed(task, milliseconds);
    }

    std::string awaited() const override {
        const BoardEntry entry = memory_.entry(cursor_);
        if (entry != BoardEntry{}) {
            return fmt::format("its own inputs of {}, which the group's leader decided",
                               to_action(index_.task(entry.task)));
        }
        return "a decision of the group's leader";
    }
};

}  // namespace

BoardMember::BoardMember(Dispatcher& dispatcher, BoardMemory memory, int members, Ring ring)
    : dispatcher_(dispatcher),
      memory_(memory),
      members_(members),
      ring_(std::move(ring)),
      index_(dispatcher.state()),
      here_(index_.size()),
      here_ms_(index_.size()) {}

void BoardMember::begin_iteration() {
    dispatcher_.begin_iteration();
    std::fill(here_.begin(), here_.end(), false);
    coordination_.reset();
    counts_ = {};
}

bool BoardMember::arrive(const Task& task, double now_ms) {
    const int index = index_.of(task);
    here_[index] = true;
    here_ms_[index] = now_ms;
    if (implied(task)) return false;
    ++counts_.messages;
    return memory_.arrive(index, members_, now_ms);
}

bool BoardMember::implied(const Task& task) const {
    const Pipeline& pipeline = dispatcher_.state().pipeline();
    const auto made_here = [&](const Task& input) { return !pipeline.crosses_ranks(input, task); };
    const FewTasks inputs = pipeline.predecessors(task);
    return !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), made_here);
}

void BoardMember::take(const Task& task) {
    const int index = index_.of(task);
    dispatcher_.commit(task);
    here_[index] = false;
    ++cursor_;
    const double ready_ms = implied(task)
                                ? here_ms_[index]
                                : std::max(here_ms_[index], memory_.ready_everywhere_ms(index));
    coordination_.decided(ready_ms);
    ++counts_.decisions;
    counts_.ahead += coordination_.ahead() ? 1 : 0;
}

void BoardMember::dispatched(double now_ms) {
    const double added_ms = coordination_.dispatched(now_ms);
    if (coordination_.ahead()) counts_.ahead_ms += added_ms;
}

std::unique_ptr<BoardMember> make_board_member(Dispatcher& dispatcher, BoardMemory memory,
                                               int member, int members, BoardMember::Ring ring) {
    if (member == 0) {
        return std::make_unique<BoardLeader>(dispatcher, memory, members, std::move(ring));
    }
    return std::make_unique<BoardFollower>(dispatcher, memory, members, std::move(ring));
}

int board_tasks(const Dispatcher& dispatcher) { return TaskIndex(dispatcher.state()).size(); }

}  // namespace rrfp
