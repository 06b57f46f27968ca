#pragma once

namespace rrfp {

/// What a run's own first iterations would have taken, in simulation, in the order that was chosen
/// and in that of the fixed schedule of the same shape.
struct ReplayVerdict {
    double chosen_ms = 0;  ///< mean of an iteration
    double fixed_ms = 0;
    int iterations = 0;     ///< that were replayed
    bool switched = false;  ///< `schedule.guard`: the rest of the run went in the fixed order

    /// By how much the fixed order is faster: 0.05 is 5%. Negative where it is slower.
    double gain_of_fixed() const { return chosen_ms / fixed_ms - 1; }
};

}  // namespace rrfp
