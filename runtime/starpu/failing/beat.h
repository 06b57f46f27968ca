#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "runtime/starpu/failing/progress_report.h"

namespace rrfp {

/// What a rank last told about itself.
struct BeatReading {
    std::int64_t at_ns = 0;  ///< monotonic_ns() when it was written
    int pid = 0;
    ProgressReport report;
};

/// A rank's sign of life in the memory that its node shares: written by the rank's watchdog thread
/// alone, read by everybody, without locks, since a writer may be stopped at any point.
class Beat {
  public:
    /// Texts that do not fit are cut and end in "...".
    void write(std::int64_t now_ns, const ProgressReport& report);
    /// Empty before the first beat.
    std::optional<BeatReading> read() const;

    /// What fits; the longest list of awaited messages seen in practice takes a third of it.
    static constexpr std::size_t text_bytes = 1000;

  private:
    /// What is copied word by word; only the last field is shorter than the type says.
    struct Content {
        std::int64_t at_ns;
        std::uint64_t progress;
        std::int64_t iteration;
        std::int32_t pid;
        std::uint8_t working;
        std::uint8_t busy;
        std::uint16_t ready_bytes;
        std::uint16_t awaited_bytes;
        std::uint8_t phase;
        char text[text_bytes];  ///< ready, then one awaited message a line
    };
    static constexpr std::size_t words = (sizeof(Content) + 7) / 8;
    using Words = std::array<std::uint64_t, words>;

    static Content pack(std::int64_t now_ns, const ProgressReport& report);
    static BeatReading unpack(const Content& content);
    bool try_read(Words& copy) const;

    std::atomic<std::uint64_t> version_;  ///< odd while the writer is at work; 0: nothing yet
    std::array<std::atomic<std::uint64_t>, words> words_;
};

}  // namespace rrfp
