#pragma once

#include "runtime/starpu/decision/decider.h"

namespace rrfp {

/// The dispatcher of a rank that agrees with nobody.
class LoneDecider final : public Decider {
  public:
    explicit LoneDecider(Dispatcher& dispatcher) : dispatcher_(dispatcher) {}

    Dispatcher& dispatcher() override { return dispatcher_; }
    void ready(const Task& task) override { dispatcher_.ready(task); }
    void completed(const Task& task, double milliseconds) override {
        dispatcher_.completed(task, milliseconds);
    }
    std::optional<Task> next() override { return dispatcher_.choose(); }
    bool exchange(std::unique_lock<std::mutex>& /*lock*/, bool /*dispatched*/) override {
        return false;
    }

  private:
    Dispatcher& dispatcher_;
};

}  // namespace rrfp
