#include "runtime/starpu/agreement/agreement_allgather.h"

#include <algorithm>
#include <utility>

#include "runtime/starpu/waiting/progress_hooks.h"
#include "runtime/system/this_thread.h"

namespace rrfp {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds shortest_nap = microseconds(50);
constexpr nanoseconds longest_nap_on_node = milliseconds(100);
constexpr nanoseconds longest_nap_between_nodes = microseconds(500);
constexpr int growth = 4;

}  // namespace

AgreementAllgather::AgreementAllgather(std::unique_ptr<MemberGroup> group, Dispatcher& dispatcher)
    : GroupAgreement(std::move(group), 0),
      rules_(dispatcher, group_->member(), group_->size(), group_->share_memory()),
      mail_(group_->communicator()),
      longest_nap_(group_->share_memory() ? longest_nap_on_node : longest_nap_between_nodes),
      nap_(shortest_nap) {}

bool AgreementAllgather::exchange(std::unique_lock<std::mutex>& lock) {
    rules_.take_outgoing(outgoing_);
    lock.unlock();
    for (const Proposal& proposal : outgoing_) mail_.send(proposal);
    if (!outgoing_.empty()) ring_others();
    const auto arrived = mail_.receive();
    // What was under way for StarPU-MPI may have been completed here, behind its thread's back.
    look_for_messages();
    lock.lock();
    for (const auto& [member, proposal] : arrived) rules_.receive(member, proposal);
    if (!arrived.empty() || !outgoing_.empty()) nap_ = shortest_nap;
    return !arrived.empty();
}

void AgreementAllgather::sleep(std::uint32_t seen, nanoseconds longest) {
    this_thread::set_precise_timers();
    if (std::exchange(last_rings_, seen) != seen) nap_ = shortest_nap;
    bells_.sleep(seen, std::min(nap_, longest));
    nap_ = std::min(nap_ * growth, longest_nap_);
}

void AgreementAllgather::ring_others() {
    for (int member = 0; member < group_->size(); ++member) {
        if (member != group_->member()) bells_.ring(member);
    }
}

}  // namespace rrfp
