#pragma once

#include <string>
#include <vector>

#include "adapters/jobs/job/job.h"

namespace rrfp {

/// What is wrong with the value of a key, with the remedy.
struct KeyFault {
    std::string key;    ///< `section.name`
    std::string value;  ///< as the job has it
    std::string what;
};

/// What keeps the sizes of a gpt job from making a model: heads that do not divide the width, and
/// what the ranks of a tensor group cannot divide, who hold whole heads and equal parts of
/// everything else.
std::vector<KeyFault> gpt_faults(const Job& job);

}  // namespace rrfp
