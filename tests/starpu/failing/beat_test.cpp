// Invariant: a beat reads as one that was written, whole, also while its writer is at work; texts
// that do not fit are cut, with a mark, and never spill.
#include "runtime/starpu/failing/beat.h"

#include <memory>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "runtime/starpu/failing/beat_age.h"

namespace rrfp {
namespace {

/// As in the shared segment: all bytes zero before the first beat.
std::unique_ptr<Beat> blank_beat() { return std::make_unique<Beat>(); }

ProgressReport report(std::uint64_t progress, const std::string& ready) {
    ProgressReport made;
    made.progress = progress;
    made.working = true;
    made.ready = ready;
    made.awaited = {"first", "second"};
    return made;
}

TEST(Beat, is_empty_before_the_first) { EXPECT_FALSE(blank_beat()->read().has_value()); }

TEST(Beat, reads_as_it_was_written) {
    const auto beat = blank_beat();
    ProgressReport written = report(42, "2F7 2B3");
    written.busy = true;
    written.phase = Phase::checkpoint;
    written.iteration = 7;
    beat->write(123, written);
    const auto reading = beat->read();
    ASSERT_TRUE(reading.has_value());
    EXPECT_EQ(reading->at_ns, 123);
    EXPECT_EQ(reading->pid, getpid());
    EXPECT_EQ(reading->report.progress, 42U);
    EXPECT_TRUE(reading->report.working);
    EXPECT_TRUE(reading->report.busy);
    EXPECT_EQ(reading->report.phase, Phase::checkpoint);
    EXPECT_EQ(reading->report.iteration, 7);
    EXPECT_EQ(reading->report.ready, "2F7 2B3");
    EXPECT_EQ(reading->report.awaited, (std::vector<std::string>{"first", "second"}));
}

TEST(Beat, cuts_long_texts_and_keeps_room_for_what_is_awaited) {
    const auto beat = blank_beat();
    ProgressReport written = report(1, std::string(5000, 'r'));
    written.awaited.assign(200, "activation of microbatch 7 from rank 1");
    beat->write(1, written);
    const auto reading = beat->read();
    ASSERT_TRUE(reading.has_value());
    EXPECT_EQ(reading->report.ready.size(), Beat::text_bytes / 2);
    EXPECT_TRUE(reading->report.ready.ends_with("r..."));
    EXPECT_EQ(reading->report.awaited.front(), "activation of microbatch 7 from rank 1");
    EXPECT_TRUE(reading->report.awaited.back().ends_with("..."));
}

TEST(Beat, is_never_torn) {
    constexpr std::uint64_t writes = 50'000;
    const auto beat = blank_beat();
    beat->write(0, report(0, "0"));
    std::thread writer([&] {
        for (std::uint64_t i = 1; i <= writes; ++i) {
            beat->write(static_cast<std::int64_t>(i), report(i, std::to_string(i)));
        }
    });
    std::uint64_t progress = 0;
    while (progress < writes) {
        const auto reading = beat->read();
        progress = reading->report.progress;
        ASSERT_EQ(reading->at_ns, static_cast<std::int64_t>(progress));
        ASSERT_EQ(reading->report.ready, std::to_string(progress));
    }
    writer.join();
}

TEST(BeatAge, is_the_time_between_looks_at_one_beat_whatever_clocks_do) {
    constexpr std::int64_t minutes = 300'000'000'000;
    BeatAge age;
    age.look(1000, 0);
    for (int look = 0; look < 5; ++look) age.look(1000, 0.2);
    EXPECT_NEAR(age.seconds(), 1.0, 1e-9);
    age.look(1000 + minutes, 0.2);  // a clock went forward: it is a beat all the same
    EXPECT_EQ(age.seconds(), 0);
    age.look(1000 + minutes, 0.2);
    EXPECT_NEAR(age.seconds(), 0.2, 1e-9);  // and one that stays is as old as it was looked at
    age.look(5, 0.2);
    EXPECT_EQ(age.seconds(), 0);
}

}  // namespace
}  // namespace rrfp
