#include "adapters/jobs/run/rank_record.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "adapters/collectives/world.h"
#include "adapters/jobs/training/parameter_hash.h"

namespace rrfp {

void RankRecord::add(RankIteration ended, const Trainer* trainer, const IterationFacts& facts,
                     double end_ms) {
    const auto trained = [trainer](double value) {
        return trainer ? std::optional(value) : std::nullopt;
    };
    summary_.add(std::move(ended), trainer ? trainer->weight_bytes_high_water() : 0);
    iterations_.push_back({.milliseconds = end_ms - facts.first_dispatch_ms,
                           .loss = trained(facts.loss),
                           .gradient_norm = trained(facts.gradient_norm)});
}

std::optional<RunResult> RankRecord::gather(const Job& job, const Trainer* trainer) const {
    const std::string hash = gather_parameter_hash(trainer);
    const std::vector<std::string> summaries = rrfp::gather(serialise(summary_.summary()));
    if (rank_ != 0) return std::nullopt;
    RunResult result{.job = job,
                     .iterations = iterations_,
                     .parameters_sha256 = hash,
                     .evaluations = evaluations_,
                     .replay = replay_};
    std::ranges::transform(summaries, std::back_inserter(result.ranks), deserialise);
    return result;
}

}  // namespace rrfp
