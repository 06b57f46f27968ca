#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "runtime/core/agreement/agreement.h"
#include "runtime/core/agreement/agreement_options.h"
#include "runtime/starpu/agreement/member_bells.h"
#include "runtime/starpu/agreement/member_group.h"

namespace rrfp {

/// An agreement among ranks that are processes: the protocol's rules, which the policy calls under
/// its lock, how members tell each other, and where the idle worker sleeps meanwhile. Construction
/// and destruction are collective over the members. A context with an agreement has one worker.
class GroupAgreement {
  public:
    virtual ~GroupAgreement() = default;

    virtual Agreement& rules() = 0;
    /// Passes on what the rules want told, and to them what has come; may release `lock`, under
    /// which the rules are used, meanwhile. The worker's; after each `next`, whatever it returned.
    /// True when something came, so that the worker asks again.
    virtual bool exchange(std::unique_lock<std::mutex>& lock) = 0;

    std::uint32_t rings() const { return bells_.rings(); }
    /// Wakes this rank's worker. Thread-safe.
    void ring_own() { bells_.ring_own(); }
    /// Sleeps until the count of rings differs from `seen` or something may have come, at most
    /// `longest`. The worker's.
    virtual void sleep(std::uint32_t seen, std::chrono::nanoseconds longest) = 0;
    /// `look` is called by a thread of the agreement's own when somebody rang while the worker was
    /// awake, if the protocol needs that here; never once `watch` with nullptr has returned.
    virtual void watch(std::function<void()> look) = 0;

  protected:
    GroupAgreement(std::unique_ptr<MemberGroup> group, std::size_t shared_bytes)
        : group_(std::move(group)), bells_(*group_, shared_bytes) {}

    std::unique_ptr<MemberGroup> group_;
    MemberBells bells_;
};

/// This rank's part in the agreement, over `dispatcher`, which outlives it; nullptr where there is
/// nobody to agree with. Throws std::invalid_argument as MemberGroup and `elect` do, at all members
/// alike.
std::unique_ptr<GroupAgreement> make_group_agreement(const AgreementOptions& options,
                                                     Dispatcher& dispatcher);

}  // namespace rrfp
