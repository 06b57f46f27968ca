#include "runtime/starpu/iteration/iteration_drive.h"

#include <chrono>
#include <exception>

namespace rrfp {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto between_interruptions = 20ms;
// For the tasks that tell other ranks of a failure. Some may wait for what will never come.
constexpr auto farewell = 1s;

/// Calls `interruption` whenever it is due, and hands what it throws to the engine.
class Interruptions {
  public:
    Interruptions(IterationEngine& engine, const std::function<void()>& interruption)
        : engine_(engine), interruption_(interruption) {}

    void poll() {
        if (!interruption_) return;
        const Clock::time_point now = Clock::now();
        if (now < due_) return;
        due_ = now + between_interruptions;
        try {
            interruption_();
        } catch (...) {
            engine_.failures().interrupted(std::current_exception());
        }
    }

  private:
    IterationEngine& engine_;
    const std::function<void()>& interruption_;
    Clock::time_point due_;
};

void pass_failure_on(IterationEngine& engine, DrivenWorker& worker) {
    const Clock::time_point end = Clock::now() + farewell;
    while (!engine.progress().idle() && Clock::now() < end) worker.run_once();
}

}  // namespace

void drive_iteration(IterationEngine& engine, DrivenWorker& worker,
                     const std::function<void()>& interruption) {
    Interruptions interruptions(engine, interruption);
    try {
        for (;;) {
            const IterationProgress::Step step = engine.progress().poll();
            if (step.ended) return;
            if (step.submit) {
                engine.submit(*step.submit);
                continue;
            }
            interruptions.poll();
            worker.run_once();
        }
    } catch (...) {
        pass_failure_on(engine, worker);
        throw;
    }
}

}  // namespace rrfp
