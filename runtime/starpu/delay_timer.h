#pragma once

#include <functional>
#include <memory>

namespace rrfp {

/// Runs callbacks at given times on a thread of its own, so that an injected delay holds up
/// neither a worker nor StarPU-MPI's progress thread. Wakes within about 50 us of the time asked
/// for on an idle machine.
class DelayTimer {
  public:
    DelayTimer();
    /// Runs what is due, drops the rest.
    ~DelayTimer();

    /// Calls `action` `ms` milliseconds from now. Thread-safe.
    void after(double ms, std::function<void()> action);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace rrfp
