#include "runtime/starpu/agreement/member_bells.h"

#include <new>

namespace rrfp {

// Sequentially consistent on purpose: see doorbell.cpp.

MemberBells::MemberBells(const MemberGroup& group, std::size_t shared_bytes)
    : group_(group), memory_(group.node(), bell_bytes + (group.member() == 0 ? shared_bytes : 0)) {}

void MemberBells::ring(int member) {
    const int node_rank = group_.node_rank(member);
    if (node_rank < 0) return;
    Bell& at = bell(node_rank);
    at.rings.fetch_add(1);
    if (at.asleep.load() != 0) {
        futex::wake(at.rings);
    } else {
        wake_helper(at);
    }
}

void MemberBells::ring_own() {
    Bell& at = own();
    at.rings.fetch_add(1);
    if (at.asleep.load() != 0) futex::wake(at.rings);
}

void* MemberBells::shared() const {
    return static_cast<char*>(memory_.of(group_.node_rank(0))) + bell_bytes;
}

void MemberBells::sleep(std::uint32_t seen, std::chrono::nanoseconds timeout) {
    Bell& at = own();
    at.asleep.store(1);
    futex::wait(at.rings, seen, timeout);
    at.asleep.store(0);
}

void MemberBells::helper_sleep(std::uint32_t seen, std::chrono::nanoseconds timeout) {
    Bell& at = own();
    at.helper_asleep.store(1);
    futex::wait(at.helper_rings, seen, timeout);
    at.helper_asleep.store(0);
}

void MemberBells::ring_helper() { wake_helper(own()); }

MemberBells::Bell& MemberBells::bell(int node_rank) const {
    return *std::launder(static_cast<Bell*>(memory_.of(node_rank)));
}

void MemberBells::wake_helper(Bell& bell) {
    bell.helper_rings.fetch_add(1);
    if (bell.helper_asleep.load() != 0) futex::wake(bell.helper_rings);
}

}  // namespace rrfp
