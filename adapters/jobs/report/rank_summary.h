#pragma once

#include <string>

#include "adapters/jobs/report/report.h"

namespace rrfp {

/// Gathers one rank's iterations into its part of the report: means of the times and maxima of the
/// high waters over the measured iterations, that is those after the first, or the only one.
class RankSummaryBuilder {
  public:
    explicit RankSummaryBuilder(int rank) { summary_.rank = rank; }

    /// `iteration` with its blocking time filled in; `weight_bytes`: see
    /// `Trainer::weight_bytes_high_water`.
    void add(RankIteration iteration, std::int64_t weight_bytes = 0);
    RankSummary summary() const;

  private:
    RankSummary summary_;  // times are sums until `summary` divides them
    int added_ = 0;
};

/// A rank's summary as bytes and back, for the way to rank 0.
std::string serialise(const RankSummary& summary);
RankSummary deserialise(const std::string& bytes);

}  // namespace rrfp
