#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "runtime/core/agreement/board.h"
#include "runtime/starpu/agreement/group_agreement.h"

namespace rrfp {

/// The protocol `board` in a segment that the members share.
///
/// The leader has a thread of its own, `rrfp agreement`, which sleeps on the leader's bell: while
/// the worker runs a task, it lets the rules revise the decision ahead as other members become
/// ready.
class AgreementBoard final : public GroupAgreement {
  public:
    AgreementBoard(std::unique_ptr<MemberGroup> group, Dispatcher& dispatcher);
    ~AgreementBoard() override;

    Agreement& rules() override { return *rules_; }
    bool exchange(std::unique_lock<std::mutex>& /*lock*/) override { return false; }
    void sleep(std::uint32_t seen, std::chrono::nanoseconds longest) override {
        bells_.sleep(seen, longest);
    }
    void watch(std::function<void()> look) override;

  private:
    void help();

    std::unique_ptr<BoardMember> rules_;
    std::mutex mutex_;  // held while `look_` runs, which takes the policy's lock
    std::function<void()> look_;
    std::atomic<bool> stop_ = false;
    std::thread helper_;
};

}  // namespace rrfp
