// Invariant: a ring is never lost. Whoever rings after it did something, and whoever listens by
// reading the count, looking, and sleeping on that count, always meet, however they are timed.
#include <atomic>
#include <chrono>
#include <memory>
#include <mpi.h>
#include <thread>

#include <gtest/gtest.h>

#include "runtime/mpi/mpi_session.h"
#include "runtime/mpi/mpi_wait.h"
#include "runtime/starpu/waiting/doorbell.h"
#include "runtime/system/monotonic_clock.h"

namespace rrfp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct Mailbox {
    std::atomic<std::uint64_t> posted;
};

class DoorbellTest : public testing::Test {
  protected:
    // MPI can be started once a process only.
    static void SetUpTestSuite() { mpi_ = std::make_unique<MpiSession>(); }
    static void TearDownTestSuite() { mpi_.reset(); }
    void TearDown() override { barrier_napping(mpi_->world()); }

    static std::unique_ptr<MpiSession> mpi_;
};
std::unique_ptr<MpiSession> DoorbellTest::mpi_;

TEST_F(DoorbellTest, ping_pong_between_processes_loses_no_ring) {
    constexpr std::uint64_t rounds = 20'000;
    Doorbell bell(*mpi_);
    NodeArray<Mailbox> mailboxes(mpi_->node());
    const int me = mpi_->rank();
    const int peer = 1 - me;
    std::uint64_t slept_through = 0;
    for (std::uint64_t round = 1; round <= rounds; ++round) {
        const auto post = [&] {
            mailboxes[peer].posted.store(round);
            bell.ring(peer);
        };
        if (me == 0) post();
        for (;;) {
            const std::uint32_t seen = bell.rings();
            if (mailboxes[me].posted.load() >= round) break;
            const std::int64_t before = monotonic_ns();
            bell.sleep(seen, seconds(5));
            if (monotonic_ns() - before > 4'000'000'000) ++slept_through;
        }
        if (me == 1) post();
    }
    EXPECT_EQ(slept_through, 0U);
}

TEST_F(DoorbellTest, rings_of_many_threads_are_all_counted_and_wake_the_listener) {
    constexpr int threads = 4;
    constexpr int rings_each = 5'000;
    Doorbell bell(*mpi_);
    const std::uint32_t first = bell.rings();
    std::vector<std::thread> ringers;
    for (int i = 0; i < threads; ++i) {
        ringers.emplace_back([&] {
            for (int k = 0; k < rings_each; ++k) bell.ring_own();
        });
    }
    const std::uint32_t all = first + threads * rings_each;
    for (std::uint32_t seen = bell.rings(); seen != all; seen = bell.rings()) {
        bell.sleep(seen, seconds(5));
    }
    for (std::thread& ringer : ringers) ringer.join();
    EXPECT_EQ(bell.rings(), all);
}

TEST_F(DoorbellTest, a_ring_before_the_sleep_ends_it_at_once) {
    Doorbell bell(*mpi_);
    const std::uint32_t seen = bell.rings();
    bell.ring(mpi_->rank());
    const std::int64_t before = monotonic_ns();
    bell.sleep(seen, seconds(20));
    EXPECT_LT(monotonic_ns() - before, 10'000'000'000);
}

TEST_F(DoorbellTest, a_sleep_without_a_ring_ends_when_asked_to) {
    Doorbell bell(*mpi_);
    const std::int64_t before = monotonic_ns();
    bell.sleep(bell.rings(), milliseconds(5));
    EXPECT_GE(monotonic_ns() - before, 4'900'000);
}

}  // namespace
}  // namespace rrfp
