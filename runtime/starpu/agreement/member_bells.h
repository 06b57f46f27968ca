#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "runtime/mpi/node_memory.h"
#include "runtime/starpu/agreement/member_group.h"
#include "runtime/system/futex.h"

namespace rrfp {

/// A bell for each member of a group on this node, and memory behind member 0's that they share.
/// Anyone rings; the member's worker sleeps on it when it is idle, its helper thread, where it has
/// one, otherwise. Collective over the members of the node.
///
/// As with Doorbell, no ring is lost: read `rings()` before you look for work, and pass what you
/// read to `sleep`.
class MemberBells {
  public:
    /// With `shared_bytes` of zeroed memory at member 0, for the members of its node.
    MemberBells(const MemberGroup& group, std::size_t shared_bytes);

    /// Wakes the worker of `member` if it sleeps, else its helper; nothing if it lives on another
    /// node. Call it after what it shall notice. Thread-safe.
    void ring(int member);
    /// Wakes this rank's worker. Thread-safe.
    void ring_own();
    /// That memory. Member 0 must live on this node.
    void* shared() const;

    std::uint32_t rings() const { return own().rings.load(); }
    void sleep(std::uint32_t seen, std::chrono::nanoseconds timeout);

    /// The same for the helper thread, of which there is one at most.
    std::uint32_t helper_rings() const { return own().helper_rings.load(); }
    void helper_sleep(std::uint32_t seen, std::chrono::nanoseconds timeout);
    void ring_helper();

  private:
    struct Bell {
        futex::Word rings;
        futex::Word asleep;
        futex::Word helper_rings;
        futex::Word helper_asleep;
    };
    /// Before a member's shared bytes; keeps them apart from the words that others write.
    static constexpr std::size_t bell_bytes = 128;
    static_assert(sizeof(Bell) <= bell_bytes);

    Bell& bell(int node_rank) const;
    Bell& own() const { return bell(group_.node_rank(group_.member())); }
    static void wake_helper(Bell& bell);

    const MemberGroup& group_;
    NodeMemory memory_;
};

}  // namespace rrfp
