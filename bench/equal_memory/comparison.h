#pragma once

#include <string>
#include <vector>

#include "bench/equal_memory/scenario.h"
#include "runtime/core/schedule_options.h"

namespace rrfp {

/// A fixed schedule, and the arbiters that are compared with it at its memory and above.
struct Comparison {
    std::string name;      ///< of the table
    std::string baseline;  ///< the schedule's name; its lists are the arbiters' hint, too
    int chunks = 1;
    bool turns = false;  ///< stages turn at a rank: the V, where `chunks` is 2
    bool split_weight = false;
    /// What is chosen by default at these limits, see `default_admission`.
    AdmissionRule admission = AdmissionRule::graded;
    std::vector<std::string> arbiters;
};

/// The memory allowed at each rank.
struct Limits {
    std::string name;  ///< `base` is the baseline's own memory, `U` none, `flat` P at each rank
    std::vector<int> of_rank;
};

/// One arbiter under one scenario and limit, over all seeds.
struct Cell {
    std::string baseline;
    int ranks = 0;
    std::string limit;
    std::string scenario;
    std::string arbiter;
    double speedup = 0;      ///< geometric mean of the baseline's makespan over the arbiter's
    double percentile5 = 0;  ///< of the same ratio
};

struct Seeds {
    std::uint64_t first = 10001;
    int count = 60;
};

/// All cells of `comparison` on `ranks` ranks and 4 microbatches a rank, on the same samples.
std::vector<Cell> compare(const Comparison& comparison, int ranks, const Seeds& seeds);

}  // namespace rrfp
