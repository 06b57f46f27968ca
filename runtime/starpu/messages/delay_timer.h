#pragma once

#include <functional>
#include <memory>

namespace rrfp {

/// Runs callbacks at given times on a thread of its own, which the first one starts, so that an
/// injected delay holds up neither a worker nor StarPU-MPI's progress thread. Wakes within about 50
/// us of the time asked for on an idle machine.
class DelayTimer {
  public:
    /// Four months; what is beyond would overflow the clock.
    static constexpr double longest_ms = 1e10;

    DelayTimer();
    /// Runs what is due, drops the rest.
    ~DelayTimer();

    /// Calls `action`, which must not throw, `ms` milliseconds from now. Thread-safe. Throws
    /// std::invalid_argument when `ms` is not between 0 and `longest_ms`.
    void after(double ms, std::function<void()> action);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace rrfp
