#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "runtime/core/task.h"
#include "runtime/starpu/failing/phase.h"

namespace rrfp {

/// What a rank was at, as its life sign shows it.
struct LifeReading {
    int pid = 0;
    Phase phase = Phase::unknown;
    std::int64_t iteration = 0;  ///< counts from 1; 0 = none yet
    std::optional<Task> task;    ///< the one it runs, or the last that it ran
    bool in_task = false;
    bool beating = false;     ///< its watchdog's thread runs
    std::uint64_t beats = 0;  ///< changes with each of its beats

    /// E.g. "in iteration 3, in the forward of stage 1, microbatch 2".
    std::string text() const;
    /// Appends the same. A signal handler may call it.
    void append_to(SafeLine& line) const;
};

/// Where a rank leaves what it is at, for whoever looks at it from outside when it can no longer
/// speak: plain words in memory that outlives the process, and all zero when nothing is known yet.
/// Each is written by one thread and read by any process.
class LifeSign {
  public:
    void begin(int pid);
    void enter(Phase phase) { phase_.store(static_cast<std::uint8_t>(phase), order); }
    void enter_iteration(std::uint64_t iteration) {
        iteration_.store(static_cast<std::int64_t>(iteration) + 1, order);
    }
    void begin_task(const Task& task) { task_.store(pack(task, true), order); }
    void end_task() { task_.fetch_and(~running, order); }
    void set_beating(bool beating) { beating_.store(beating ? 1 : 0, order); }
    void beat() { beats_.fetch_add(1, order); }

    Phase phase() const { return static_cast<Phase>(phase_.load(order)); }
    LifeReading read() const;

  private:
    static constexpr std::memory_order order = std::memory_order_relaxed;
    static constexpr std::uint64_t known = std::uint64_t{1} << 63;
    static constexpr std::uint64_t running = std::uint64_t{1} << 62;
    static std::uint64_t pack(const Task& task, bool in_task);

    std::atomic<std::int32_t> pid_;
    std::atomic<std::uint8_t> phase_;
    std::atomic<std::uint8_t> beating_;
    std::atomic<std::int64_t> iteration_;
    std::atomic<std::uint64_t> task_;  ///< known, running, kind, stage, microbatch
    std::atomic<std::uint64_t> beats_;
};

/// Of this process. In memory of its own, or, after `show_life_sign`, where its launcher sees it.
LifeSign& life_sign();

/// Whether a launcher sees it.
bool life_sign_is_seen();

/// This rank is at `phase` while this object lives, and then at what it was at before.
class InPhase {
  public:
    explicit InPhase(Phase phase) : before_(life_sign().phase()) { life_sign().enter(phase); }
    ~InPhase() { life_sign().enter(before_); }
    InPhase(const InPhase&) = delete;
    InPhase& operator=(const InPhase&) = delete;

  private:
    Phase before_;
};

}  // namespace rrfp
