#include "runtime/starpu/messages/delay_timer.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runtime/system/this_thread.h"

namespace rrfp {
namespace {

using Clock = std::chrono::steady_clock;

struct Entry {
    Clock::time_point due;
    std::uint64_t sequence;  ///< equal times run in the order they were asked for
    std::function<void()> action;
};

struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
        return a.due != b.due ? a.due > b.due : a.sequence > b.sequence;
    }
};

}  // namespace

struct DelayTimer::State {
    std::mutex mutex;  ///< guards what follows, and is not held while an action runs
    std::condition_variable changed;
    std::priority_queue<Entry, std::vector<Entry>, Later> entries;
    std::uint64_t sequence = 0;
    bool stopping = false;
    std::thread thread;  ///< started by the first delay: most runners have none

    void start();
    void run();
    void wait_for_next(std::unique_lock<std::mutex>& lock);
};

void DelayTimer::State::start() {
    if (thread.joinable()) return;
    thread = std::thread([this] {
        this_thread::block_signals();
        run();
    });
}

void DelayTimer::State::run() {
    this_thread::set_name("rrfp delay");
    this_thread::set_precise_timers();
    std::unique_lock lock(mutex);
    for (;;) {
        if (!entries.empty() && entries.top().due <= Clock::now()) {
            auto action = std::move(const_cast<Entry&>(entries.top()).action);
            entries.pop();
            lock.unlock();
            action();
            action = nullptr;  // what it owns may take locks of its own when it goes
            lock.lock();
        } else if (stopping) {
            return;
        } else {
            wait_for_next(lock);
        }
    }
}

void DelayTimer::State::wait_for_next(std::unique_lock<std::mutex>& lock) {
    if (entries.empty()) {
        changed.wait(lock);
    } else {
        const Clock::time_point due = entries.top().due;
        changed.wait_until(lock, due);
    }
}

DelayTimer::DelayTimer() : state_(std::make_unique<State>()) {}

DelayTimer::~DelayTimer() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->changed.notify_one();
    if (state_->thread.joinable()) state_->thread.join();
}

void DelayTimer::after(double ms, std::function<void()> action) {
    if (!(ms >= 0 && ms <= longest_ms)) {
        throw std::invalid_argument(
            fmt::format("a delay of {} ms is not between 0 and {} ms", ms, longest_ms));
    }
    const auto delay =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(ms));
    bool first = false;
    {
        const std::lock_guard lock(state_->mutex);
        state_->start();
        const Clock::time_point due = Clock::now() + delay;
        first = state_->entries.empty() || due < state_->entries.top().due;
        state_->entries.push({due, state_->sequence++, std::move(action)});
    }
    if (first) state_->changed.notify_one();
}

}  // namespace rrfp
