#pragma once

#include "runtime/core/agreement/board.h"

namespace rrfp {

/// The member that decides; see BoardMember.
class BoardLeader final : public BoardMember {
  public:
    BoardLeader(Dispatcher& dispatcher, BoardMemory memory, int members, Ring ring);

    void begin_iteration() override;
    void ready(const Task& task, double now_ms) override;
    std::optional<Task> next(double now_ms) override;
    void completed(const Task& task, double milliseconds) override;
    void look() override;
    std::string awaited() const override;

  private:
    void take_common();
    /// Decides with the worker free. Nothing: there is nothing to decide, or not yet run here.
    std::optional<Task> decide();
    /// Writes `with` in place of `seen`, and wakes the others where nothing stood before. False
    /// when a member has made `seen` final.
    bool write(BoardEntry& seen, const BoardEntry& with);
    void foresee_successors(const Task& task);

    std::optional<Task> running_;
};

}  // namespace rrfp
