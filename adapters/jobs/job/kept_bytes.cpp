#include "adapters/jobs/job/kept_bytes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rrfp {
namespace {

constexpr double float_bytes = 4;

/// Sizes that multiply to more than 64 bits are told as the most there can be.
std::int64_t whole_bytes(double bytes) {
    constexpr double most = 9.2e18;
    return bytes < most ? static_cast<std::int64_t>(bytes)
                        : std::numeric_limits<std::int64_t>::max();
}

/// What autograd saves of one layer, float32 values a token and hidden unit.
double saved_values(const Job& job) {
    const double parts = job.parallel.tensor;
    const double normalised = job.parallel.sequence_parallel ? 2 / parts : 2;
    const double dropped = job.model.dropout > 0 ? 2 : 0;
    return normalised + 2 + 12 / parts + dropped;
}

/// What of one layer its weight gradients need, likewise: more than the whole backward, since
/// gradients are among it.
double values_for_weights(const Job& job) {
    const double parts = job.parallel.tensor;
    const double normalised = job.parallel.sequence_parallel ? 4 / parts : 4;
    return normalised + 4 + 12 / parts;
}

double gpt_stage_bytes(const Job& job, int stage, int layers, int stages) {
    const double tokens = static_cast<double>(job.train.microbatch_size) * job.model.sequence;
    const double message = tokens * job.model.hidden * float_bytes;
    const bool split = job.schedule.split_weight;
    if (job.model.recompute && !split) return 2 * message;
    // The first stage leaves its whole backward to the weight gradient.
    const double values = split && stage > 0 ? values_for_weights(job) : saved_values(job);
    const double saved = std::floor(values * layers * message);
    if (stage < stages - 1) return message + saved;
    const double head = (split ? 3 : 2) * message;  // and the normalisation before it
    return message + saved + head + tokens * text_vocabulary * float_bytes / job.parallel.tensor;
}

}  // namespace

std::int64_t bytes_in_flight(const Job& job, int rank) {
    if (job.synthetic()) return 2 * job.model.message_bytes;
    const Placement placement = job.placement();
    const std::vector<int> layers = job.layers_of_stages();
    double most = 0;
    for (const int stage : placement.stages_of(rank)) {
        most = std::max(most, gpt_stage_bytes(job, stage, layers[stage], placement.stages()));
    }
    return whole_bytes(most);
}

}  // namespace rrfp
