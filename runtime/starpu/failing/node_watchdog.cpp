#include "runtime/starpu/failing/node_watchdog.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "runtime/mpi/mpi_wait.h"
#include "runtime/mpi/node_memory.h"
#include "runtime/starpu/failing/beat.h"
#include "runtime/starpu/failing/beat_age.h"
#include "runtime/starpu/failing/end_job.h"
#include "runtime/starpu/failing/life_sign.h"
#include "runtime/starpu/failing/stall.h"
#include "runtime/system/monotonic_clock.h"
#include "runtime/system/this_thread.h"

namespace rrfp {
namespace {

constexpr int exit_code = 1;
constexpr double ns_per_s = 1e9;

/// Five looks within the limit, and not more than five a second.
std::chrono::milliseconds beat_period(double limit_s) {
    constexpr std::int64_t usual_ms = 200;
    constexpr std::int64_t shortest_ms = 10;
    if (limit_s <= 0) return std::chrono::milliseconds(usual_ms);
    const auto fifth = static_cast<std::int64_t>(limit_s * 1000 / 5);
    return std::chrono::milliseconds(std::clamp(fifth, shortest_ms, usual_ms));
}

/// Missing this many beats in a row is being stopped.
constexpr int missed_beats = 4;

class NodeWatchdog final : public Watchdog {
  public:
    NodeWatchdog(const MpiSession& mpi, double limit_s, std::string key)
        : mpi_(mpi),
          limit_s_(limit_s),
          key_(std::move(key)),
          period_(beat_period(limit_s)),
          detector_(missed_beats * std::chrono::duration<double>(period_).count()),
          ages_(static_cast<std::size_t>(mpi.node_ranks())),
          beats_(mpi.node()) {
        beat();
        // Who looks finds a beat of every rank.
        barrier_napping(mpi_.node());
        thread_ = std::thread([this] { run(); });
    }

    ~NodeWatchdog() override {
        // A rank that has gone already must not look like a stopped one.
        barrier_napping(mpi_.node());
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        stop_.notify_one();
        thread_.join();
    }

    void watch(Probe probe) override {
        // Also waits for a probe that is being called, so that what it looks at may go afterwards.
        const std::lock_guard lock(mutex_);
        probe_ = std::move(probe);
    }

  private:
    void run();
    void beat();
    void look();
    std::vector<RankSnapshot> snapshots(double elapsed_s);
    double grace_s(const std::vector<RankSnapshot>& ranks) const;

    const MpiSession& mpi_;
    const double limit_s_;
    const std::string key_;  ///< who set the limit knows it by
    const std::chrono::milliseconds period_;
    StallDetector detector_;         ///< the thread's
    std::int64_t looked_at_ns_ = 0;  ///< the thread's
    std::vector<BeatAge> ages_;      ///< the thread's, one a rank of the node
    NodeArray<Beat> beats_;          ///< each element is written by its rank's thread alone

    std::mutex mutex_;  ///< guards what follows; held while the probe runs
    std::condition_variable stop_;
    Probe probe_;
    bool stopping_ = false;

    std::thread thread_;
};

void NodeWatchdog::run() {
    this_thread::block_signals();
    this_thread::set_name(watchdog_thread_name);
    std::unique_lock lock(mutex_);
    life_sign().set_beating(true);
    while (!stopping_) {
        beat();
        if (limit_s_ > 0) look();
        stop_.wait_for(lock, period_, [this] { return stopping_; });
    }
    life_sign().enter(Phase::leaving);
    life_sign().set_beating(false);
}

void NodeWatchdog::beat() {
    ProgressReport report = probe_ ? probe_() : ProgressReport{};
    const LifeReading sign = life_sign().read();
    report.phase = sign.phase;
    report.iteration = sign.iteration;
    beats_[mpi_.node_rank()].write(monotonic_ns(), report);
    life_sign().beat();
}

std::vector<RankSnapshot> NodeWatchdog::snapshots(double elapsed_s) {
    std::vector<RankSnapshot> ranks;
    // A gap in which all were suspended says nothing of one of them.
    const double passed_s = std::min(elapsed_s, 2 * std::chrono::duration<double>(period_).count());
    for (int i = 0; i < mpi_.node_ranks(); ++i) {
        const auto reading = beats_[i].read();
        if (!reading) continue;
        BeatAge& age = ages_[static_cast<std::size_t>(i)];
        age.look(reading->at_ns, passed_s);
        ranks.push_back({mpi_.world_rank_of(i), reading->pid, age.seconds(), reading->report});
    }
    return ranks;
}

/// The lowest living rank speaks first; another one only if that did not end the job.
double NodeWatchdog::grace_s(const std::vector<RankSnapshot>& ranks) const {
    constexpr double turn_s = 2;
    const auto before = std::count_if(ranks.begin(), ranks.end(), [this](const RankSnapshot& rank) {
        return rank.rank < mpi_.rank() && detector_.living(rank);
    });
    return turn_s * static_cast<double>(before);
}

void NodeWatchdog::look() {
    const std::int64_t now_ns = monotonic_ns();
    const double elapsed_s =
        looked_at_ns_ == 0 ? 0 : static_cast<double>(now_ns - looked_at_ns_) / ns_per_s;
    looked_at_ns_ = now_ns;
    const std::vector<RankSnapshot> ranks = snapshots(std::max(elapsed_s, 0.0));
    detector_.observe(ranks, std::max(elapsed_s, 0.0));
    if (detector_.too_long(limit_s_, grace_s(ranks))) {
        end_job(exit_code, stall_message(ranks, detector_, limit_s_, key_));
    }
}

}  // namespace

std::unique_ptr<Watchdog> make_node_watchdog(const MpiSession& mpi, double limit_s,
                                             std::string key) {
    return std::make_unique<NodeWatchdog>(mpi, limit_s, std::move(key));
}

}  // namespace rrfp
