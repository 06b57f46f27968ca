#pragma once

#include <memory>
#include <vector>

#include "runtime/core/agreement/allgather.h"
#include "runtime/starpu/agreement/group_agreement.h"
#include "runtime/starpu/agreement/proposal_mail.h"

namespace rrfp {

/// The protocol `allgather` over MPI: each member sends its proposal to all others. The idle worker
/// drives it, from the policy's pop; no thread is added.
///
/// Members of one node ring each other, so an idle one sleeps on its bell. A proposal can still be
/// seen late: another thread of the rank may be inside MPI when the worker looks, and then only a
/// later look finds it; and from other nodes nobody rings. So sleeps begin at 50 us and grow, to
/// 100 ms among members of one node, to 0.5 ms otherwise.
class AgreementAllgather final : public GroupAgreement {
  public:
    AgreementAllgather(std::unique_ptr<MemberGroup> group, Dispatcher& dispatcher);

    Agreement& rules() override { return rules_; }
    bool exchange(std::unique_lock<std::mutex>& lock) override;
    void sleep(std::uint32_t seen, std::chrono::nanoseconds longest) override;
    void watch(std::function<void()> /*look*/) override {}

  private:
    void ring_others();

    AllgatherMember rules_;
    ProposalMail mail_;
    std::vector<Proposal> outgoing_;  // the worker's, while it tells them
    std::chrono::nanoseconds longest_nap_;
    std::chrono::nanoseconds nap_;
    std::uint32_t last_rings_ = 0;
};

}  // namespace rrfp
