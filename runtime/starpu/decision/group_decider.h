#pragma once

#include <condition_variable>

#include "runtime/starpu/agreement/group_agreement.h"
#include "runtime/starpu/decision/decider.h"
#include "runtime/starpu/decision/worker_bell.h"

namespace rrfp {

/// A rank of a group: what is decided is what the agreement comes to. The worker sleeps on its bell
/// in the group's memory, which the other members ring, and calls the agreement without the
/// context's lock; `leave` waits for the end of such a call.
class GroupDecider final : public Decider, private WorkerBell {
  public:
    /// `group` was made over `dispatcher`; both outlive it.
    GroupDecider(Dispatcher& dispatcher, GroupAgreement& group)
        : dispatcher_(dispatcher), group_(group) {}

    Dispatcher& dispatcher() override { return dispatcher_; }
    void ready(const Task& task) override;
    void completed(const Task& task, double milliseconds) override;
    std::optional<Task> next() override;
    bool exchange(std::unique_lock<std::mutex>& lock, bool dispatched) override;

    WorkerBell* bell() override { return this; }
    Agreement* agreement() override { return &group_.rules(); }
    void join(std::function<void()> look) override { group_.watch(std::move(look)); }
    void leave(std::unique_lock<std::mutex>& lock) override;

  private:
    std::uint32_t rings() const override { return group_.rings(); }
    void ring() override { group_.ring_own(); }
    void wake(bool /*all*/) override {}  // the ring has done so
    void sleep(std::unique_lock<std::mutex>& lock, std::uint32_t seen,
               std::chrono::nanoseconds longest) override;

    /// While the worker is in a call into the group.
    class Visit;

    Dispatcher& dispatcher_;
    GroupAgreement& group_;
    bool visited_ = false;
    std::condition_variable left_;
};

}  // namespace rrfp
