#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "adapters/jobs/job/job.h"
#include "adapters/jobs/report/replay_verdict.h"
#include "runtime/core/metrics.h"

namespace rrfp {

struct IterationResult {
    double milliseconds = 0;  ///< rank 0's first dispatch to the last rank's optimizer step's end
    std::optional<double> loss;  ///< mean over microbatches and replicas; none for synthetic jobs
    std::optional<double> gradient_norm = {};  ///< of that mean, before clipping; likewise
};

/// One rank's part of a report.
struct RankSummary {
    int rank = 0;
    double compute_ms = 0;  ///< mean over measured iterations
    double blocking_ms = 0;
    double tp_coordination_ms = 0;
    AgreementCounts agreement;     ///< sums over measured iterations
    int in_flight_high_water = 0;  ///< maximum over measured iterations
    Buffers buffers;
    /// Backwards whose weight gradient is due, and what a trained model keeps for them.
    Occupancy held_for_weights;
    std::vector<TaskRecord> last_iteration;  ///< in dispatch order
};

/// What a run (real or simulated) leaves: the source of the JSON report, the table and the
/// timeline.
struct RunResult {
    Job job;
    std::vector<IterationResult> iterations;
    std::vector<RankSummary> ranks;
    std::string parameters_sha256;  ///< over all parameters by name; empty for synthetic jobs
    std::vector<std::optional<double>> evaluations;
    /// Whether the fixed order would have been faster; none where nothing was replayed.
    std::optional<ReplayVerdict> replay = {};

    /// Over the iterations after the first, or of the only one.
    double median_ms() const;
    double samples_per_second() const;
};

/// The JSON report; keys as the documentation of `--json` lists them.
nlohmann::json to_json(const RunResult& result);

}  // namespace rrfp
