#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "runtime/core/agreement/agreement.h"
#include "runtime/core/agreement/allgather.h"
#include "runtime/core/agreement/board.h"

namespace rrfp {

/// The agreement objects of one group of members within one process: shared memory is plain memory,
/// and what members tell each other goes through two functions.
class SimulatedGroup {
  public:
    using Wake = std::function<void(int member)>;
    using Send = std::function<void(int from, int to, const Proposal&)>;

    /// One dispatcher a member, in order; they outlive the group.
    SimulatedGroup(AgreementProtocol protocol, const std::vector<Dispatcher*>& dispatchers,
                   const Wake& wake, Send send);

    Agreement& operator[](int member) { return *members_.at(member); }
    int size() const { return static_cast<int>(members_.size()); }

    /// What the idle worker of `member` runs next; tells the others what that takes.
    std::optional<Task> next(int member, double now_ms);
    /// A proposal sent before arrives.
    void receive(int to, int from, const Proposal& proposal);

  private:
    std::vector<std::uint64_t> memory_;
    std::vector<std::unique_ptr<Agreement>> members_;
    std::vector<AllgatherMember*> allgathers_;  // under `allgather`
    std::vector<Proposal> outgoing_;
    Send send_;
};

}  // namespace rrfp
