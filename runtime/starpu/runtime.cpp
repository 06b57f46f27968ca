#include "runtime/starpu/runtime.h"

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "runtime/mpi/message_memory.h"
#include "runtime/mpi/mpi_session.h"
#include "runtime/mpi/mpi_wait.h"
#include "runtime/mpi/start_together.h"
#include "runtime/starpu/decision/policy.h"
#include "runtime/starpu/failing/end_job.h"
#include "runtime/starpu/failing/fault_line.h"
#include "runtime/starpu/failing/life_sign.h"
#include "runtime/starpu/failing/node_watchdog.h"
#include "runtime/starpu/session/binding.h"
#include "runtime/starpu/session/starpu_environment.h"
#include "runtime/starpu/session/starpu_session.h"
#include "runtime/starpu/tracing/trace.h"
#include "runtime/starpu/waiting/doorbell.h"
#include "runtime/starpu/waiting/nap.h"
#include "runtime/starpu/waiting/progress_hooks.h"
#include "runtime/system/monotonic_clock.h"
#include "runtime/system/own_folder.h"
#include "runtime/system/this_thread.h"

namespace rrfp {
namespace {

constexpr unsigned initial_context = 0;
// A thread that drives the worker looks for signals, too.
constexpr std::chrono::milliseconds between_looks{20};

Waiting resolve(Waiting wanted) {
    if (wanted != Waiting::automatic) return wanted;
    return have_progress_hooks() ? Waiting::doorbell : Waiting::nap;
}

std::optional<Binding> choose_binding(const RuntimeOptions& options, const MpiSession& mpi) {
    if (!options.bind || options.worker == WorkerThread::calling) return std::nullopt;
    return plan_binding(find_node_cores(), mpi.node_rank(), mpi.node_ranks());
}

void check(const RuntimeOptions& options) {
    constexpr double longest = 1e9;
    if (!(options.watchdog_seconds >= 0 && options.watchdog_seconds <= longest)) {
        throw std::runtime_error(
            fmt::format("watchdog_seconds is {}; give seconds up to {}, or 0 for no limit",
                        options.watchdog_seconds, longest));
    }
}

/// What keeps StarPU-MPI's progress thread from spinning. Lives longer than StarPU-MPI.
class ProgressWaiting {
  public:
    ProgressWaiting(Waiting waiting, const MpiSession& mpi) {
        if (waiting == Waiting::doorbell) {
            bell_.emplace(mpi);
            hooks_.emplace(*bell_, mpi.one_node());
        } else if (waiting == Waiting::nap) {
            enable_naps();
        }
    }
    ~ProgressWaiting() { disable_naps(); }
    ProgressWaiting(const ProgressWaiting&) = delete;
    ProgressWaiting& operator=(const ProgressWaiting&) = delete;

  private:
    std::optional<Doorbell> bell_;
    std::optional<ProgressHooks> hooks_;
};

/// Shutting down is working, too: where it hangs, the watchdog says what on.
ProgressReport shutting_down() {
    ProgressReport report;
    report.working = true;
    report.awaited = {
        "the end of all ranks' work, then of StarPU-MPI (a receive that no send "
        "answers would hold it up)"};
    return report;
}

}  // namespace

/// Members go in the reverse order: StarPU before the bells that its thread sleeps on, everything
/// before MPI. The watchdog outlives StarPU, so that a shutdown that hangs is noticed.
struct Runtime::State {
    explicit State(const RuntimeOptions& options)
        : waiting(resolve(options.waiting)),
          watchdog(make_node_watchdog(mpi, options.watchdog_seconds, options.watchdog_key)) {
        start_together(mpi, [&] { reserve_message_memory(mpi.rank()); });
        start_together(mpi, [&] { progress.emplace(waiting, mpi); });
        // Nobody may write there before it is cleared.
        start_together(mpi, [&] {
            if (!options.trace_folder.empty() && mpi.node_rank() == 0) {
                prepare_trace_folder(options.trace_folder);
            }
        });
        start_together(mpi, [&] {
            const OwnFolder starpu_home(places_for_own_folders());
            set_starpu_environment(choose_binding(options, mpi), options.trace_folder,
                                   starpu_home.path());
            starpu.emplace(*scheduling_policy(), options.worker);
            if (starpu->driven_worker() != nullptr) limit_sleep(initial_context, between_looks);
            starpu->check();
        });
    }

    MpiSession mpi;
    Waiting waiting;
    std::optional<ProgressWaiting> progress;
    std::unique_ptr<Watchdog> watchdog;
    std::optional<StarpuSession> starpu;
    int exceptions = std::uncaught_exceptions();
};

Runtime::Runtime(const RuntimeOptions& options) {
    check(options);
    // Before any thread starts: they inherit it.
    this_thread::set_precise_timers();
    // A runtime before this one has left its end there.
    if (life_sign().phase() == Phase::leaving) life_sign().enter(Phase::unknown);
    state_ = std::make_unique<State>(options);
    if (!life_sign_is_seen()) tell_faults_of(rank());
}

Runtime::~Runtime() {
    if (std::uncaught_exceptions() > state_->exceptions) {
        abort(1, fmt::format("rrfp: an exception leaves the scope of rrfp::Runtime on rank {}, and "
                             "the other ranks wait for it. Catch it inside and call "
                             "Runtime::abort with its message",
                             rank()));
    }
    life_sign().enter(Phase::shutting_down);
    state_->watchdog->watch(shutting_down);
    barrier_napping(state_->mpi.world());
}

int Runtime::rank() const { return state_->mpi.rank(); }

int Runtime::ranks() const { return state_->mpi.ranks(); }

Waiting Runtime::waiting() const { return state_->waiting; }

Watchdog& Runtime::watchdog() { return *state_->watchdog; }

DrivenWorker* Runtime::driven_worker() { return state_->starpu->driven_worker(); }

double Runtime::now_ms() { return monotonic_ms(); }

void Runtime::wait(MPI_Request& request) { wait_napping(request); }

void Runtime::abort(int code, const std::string& message) { end_job(code, message); }

}  // namespace rrfp
