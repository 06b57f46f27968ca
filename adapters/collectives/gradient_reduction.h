#pragma once

#include <memory>
#include <vector>

#include "adapters/collectives/collectives.h"

namespace rrfp {

/// Sums gradients over the replicas of a model, chunk by chunk, while other chunks are computed:
/// one reduction for each bucket and iteration. Every chunk has a group of its own, since replicas
/// may come to the ends of their chunks in different orders; the buckets of a chunk are reduced in
/// the order given, which is the same on every replica.
///
/// Called by one thread at a time: by the compute worker within an iteration, by the main thread
/// at its end.
class GradientReduction {
  public:
    struct Chunk {
        Collectives* group = nullptr;  ///< one rank a replica; outlives the reduction
        std::vector<Elements> buckets;
    };

    explicit GradientReduction(std::vector<Chunk> chunks);

    /// When the gradients of `chunk` are complete at this rank: starts their reduction and returns.
    /// They belong to it until `finish`. std::logic_error when it has started already.
    void start(int chunk);
    /// Moves on what is under way; never blocks. A collective of MPI makes its next step only when
    /// somebody asks, so this is called between tasks.
    void advance();
    /// Sleeps until every sum is complete at this rank, then is ready for the next iteration.
    /// std::logic_error when a chunk has not been started; errors of the group.
    void finish();

    /// Reductions started since the beginning.
    std::size_t reductions() const { return reductions_; }

  private:
    std::vector<Chunk> chunks_;
    std::vector<bool> started_;
    std::vector<std::unique_ptr<Operation>> under_way_;
    std::size_t reductions_ = 0;
};

}  // namespace rrfp
