#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "runtime/simulation/durations.h"

namespace rrfp {

/// One kind of variability. A rank takes 10 ms for the forwards of a microbatch and 20 ms for its
/// backwards, shared out evenly over its stages; with the split 10 ms each for F, B and W.
struct Scenario {
    std::string name;
    Jitter jitter{};
    /// The tasks of stage 0 take one factor a microbatch: log-normal, mean 1.5, cv 1.
    bool encoder = false;
    /// The tasks of one stage, drawn for the sample, take 1.5 times as long.
    bool straggler = false;
    /// 3% of the tasks take 5 times as long.
    bool stall = false;
};

/// The seven scenarios: jitter, length, comm, encoder, mix, straggler, stall.
std::span<const Scenario> scenarios();

/// One sample: every draw is keyed by the seed and the task, so all orders see the same.
Durations draw_sample(const Scenario& scenario, const Pipeline& pipeline, std::uint64_t seed);

}  // namespace rrfp
