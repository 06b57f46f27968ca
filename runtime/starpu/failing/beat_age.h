#pragma once

#include <cstdint>

namespace rrfp {

/// For how long a rank's beat has been the same, added up from the time that passes between looks
/// at it. The beat's own time is nothing but its name here: clocks that jump, in its process or in
/// the one that looks, make nobody look stopped.
class BeatAge {
  public:
    /// The beat that bears `beat_ns` was seen, `passed_s` after the last look.
    void look(std::int64_t beat_ns, double passed_s) {
        seconds_ = beat_ns == beat_ns_ ? seconds_ + passed_s : 0;
        beat_ns_ = beat_ns;
    }
    double seconds() const { return seconds_; }

  private:
    std::int64_t beat_ns_ = 0;
    double seconds_ = 0;
};

}  // namespace rrfp
