#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "adapters/jobs/job/job.h"

namespace rrfp {

/// What determines the numbers of a training beside its model and layout: `section.key` and its
/// value as text, every bit of it. A checkpoint records them; a job that continues it has the same,
/// or its numbers are those of no uninterrupted run.
using RunFacts = std::map<std::string, std::string>;

RunFacts facts_of(const Job& job);

/// A fact that differs.
struct FactChange {
    std::string key;
    std::string saved;
    std::string now;

    /// `train.clip_norm = 1, now 2`
    std::string text() const;
};

/// How a job differs from what a checkpoint was trained with.
struct FactChanges {
    std::vector<FactChange> numbers;   ///< other data, steps or rates: another training
    std::vector<FactChange> rounding;  ///< sums taken in another order: the same up to rounding
};

/// `done` iterations were trained with `saved`, and `job` would go on. Another `train.iterations`
/// is no change where the iterations done had the rates that they would have had under the new
/// number: with a constant rate, or within the warm-up. Nor is a key that `saved` lacks, or a text
/// that nobody has looked at yet.
FactChanges changes_of(const RunFacts& saved, const Job& job, std::uint64_t done);

}  // namespace rrfp
