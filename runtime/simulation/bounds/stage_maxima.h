#pragma once

#include <vector>

#include "runtime/simulation/durations.h"

namespace rrfp {

/// The longest forward and backward of each stage and the longest delay of each link: what the
/// upper bounds charge for filling and emptying the pipeline. Milliseconds, [stage]; entry s of a
/// link is of the messages that stage s sends.
struct StageMaxima {
    std::vector<double> forward;
    std::vector<double> backward;
    std::vector<double> forward_link;
    std::vector<double> backward_link;
};

StageMaxima stage_maxima(const Pipeline& pipeline, const Durations& durations);

}  // namespace rrfp
