#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/core/agreement/agreement.h"
#include "runtime/core/agreement/board_memory.h"
#include "runtime/core/agreement/coordination.h"
#include "runtime/core/agreement/task_index.h"

namespace rrfp {

/// A member's place in the protocol `board`: member 0 leads. It decides with its own dispatcher,
/// which it tells only of tasks that are ready on all members, and writes its decisions to a ring
/// that all read; nobody else's arbiter chooses, so any arbiter will do.
///
/// *One ahead.* While the leader's worker runs, the next entry is provisional: what the dispatcher
/// would choose when that task ends, revised whenever a task becomes ready everywhere. Whichever
/// member is free first makes it final. So a choice is as late as it can be, and nobody waits for
/// it. What the running task makes ready at its own rank (the backward at the last stage, a weight
/// gradient, a hop inside a rank) needs no telling: it will be ready at each member when that
/// member has run the task, so the leader counts it as ready from the dispatch on, and a member
/// that finds it decided waits for its own inputs alone.
///
/// *Why the leader's D is enough.* A member runs decision k when it has ended all before k, since
/// its worker runs them one by one. Its D at that moment counts the same dispatches and at least
/// the releases that the leader's choice counted: D at a member never exceeds what the filters
/// granted the leader.
///
/// *Progress.* A decision needs the leader's worker free (or one task from it) and a task ready
/// everywhere. Tasks of a stage become ready at all members or at none, since the members of the
/// neighbouring stage run the same tasks; so what the leader waits for comes, as for a single rank.
class BoardMember : public Agreement {
  public:
    /// Wakes `member`: something on the board changed for it. Called while the owner's lock is
    /// held; never for the member itself.
    using Ring = std::function<void(int member)>;

    AgreementProtocol protocol() const override { return AgreementProtocol::board; }
    void begin_iteration() override;
    void dispatched(double now_ms) override;
    double coordination_ms() const override { return coordination_.total_ms(); }
    AgreementCounts counts() const override { return counts_; }

  protected:
    BoardMember(Dispatcher& dispatcher, BoardMemory memory, int members, Ring ring);

    /// Notes that `task` is ready here and tells the board where that is needed. True when it
    /// became ready on all members by that.
    bool arrive(const Task& task, double now_ms);
    /// Whether all inputs of `task` are made at this rank: then nobody is told of it.
    bool implied(const Task& task) const;
    /// The member's worker runs `task` as decision `cursor_`.
    void take(const Task& task);

    Dispatcher& dispatcher_;
    BoardMemory memory_;
    int members_;
    Ring ring_;
    TaskIndex index_;
    std::vector<bool> here_;  ///< ready here and not run, by index
    std::vector<double> here_ms_;
    std::uint64_t cursor_ = 0;  ///< the decision this member runs next; goes on over iterations
    Coordination coordination_;
    AgreementCounts counts_;
};

/// Member `member` of `members` over the group's memory, made for `board_tasks(dispatcher)` tasks.
/// The references outlive it.
std::unique_ptr<BoardMember> make_board_member(Dispatcher& dispatcher, BoardMemory memory,
                                               int member, int members, BoardMember::Ring ring);

/// How many tasks a board for `dispatcher` numbers.
int board_tasks(const Dispatcher& dispatcher);

}  // namespace rrfp
