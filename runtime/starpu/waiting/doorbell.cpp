#include "runtime/starpu/waiting/doorbell.h"

namespace rrfp {
namespace {

// Sequentially consistent on purpose: the ringer writes `rings` and reads `asleep`, the listener
// writes `asleep` and reads `rings` (in the kernel). At least one of them must see the other.
void ring_bell(Bell& bell) {
    bell.rings.fetch_add(1);
    if (bell.asleep.load() != 0) futex::wake(bell.rings);
}

}  // namespace

Doorbell::Doorbell(const MpiSession& mpi)
    : mpi_(mpi), bells_(mpi.node()), own_(bells_[mpi.node_rank()]) {}

void Doorbell::ring(int world_rank) {
    const int node_rank = mpi_.node_rank_of(world_rank);
    if (node_rank >= 0) ring_bell(bells_[node_rank]);
}

void Doorbell::ring_own() { ring_bell(own_); }

std::uint32_t Doorbell::rings() const { return own_.rings.load(); }

void Doorbell::sleep(std::uint32_t seen, std::chrono::nanoseconds timeout) {
    own_.asleep.store(1);
    futex::wait(own_.rings, seen, timeout);
    own_.asleep.store(0);
}

}  // namespace rrfp
