#pragma once

#include <span>
#include <vector>

namespace rrfp {

/// Which pipeline rank holds which stage. Stages count over the whole model; a rank's local stages
/// are its chunks, numbered in stage order.
class Placement {
  public:
    /// `rank_of_stage[s]` is the rank that holds stage s. Every rank in 0..max must hold at least
    /// one stage; throws std::invalid_argument that names the rank or stage at fault otherwise.
    explicit Placement(std::vector<int> rank_of_stage);

    /// Stage = chunk * ranks + rank; `chunks` = 1 is one stage a rank.
    static Placement loop(int ranks, int chunks = 1);
    /// Down the ranks, up again, down …: odd chunks run from the last rank to rank 0, so that no
    /// message is sent where one turns into the next.
    static Placement wave(int ranks, int chunks);
    /// One wave: rank r holds stages r and 2P-1-r.
    static Placement v(int ranks) { return wave(ranks, 2); }

    int stages() const { return static_cast<int>(rank_of_stage_.size()); }
    int ranks() const { return static_cast<int>(stages_of_rank_.size()); }
    int rank_of(int stage) const { return rank_of_stage_[stage]; }
    int chunk_of(int stage) const { return chunk_of_stage_[stage]; }
    /// The stages that `rank` holds, ascending: entry c is chunk c.
    std::span<const int> stages_of(int rank) const { return stages_of_rank_[rank]; }
    int chunks(int rank) const { return static_cast<int>(stages_of_rank_[rank].size()); }

    friend bool operator==(const Placement& left, const Placement& right) {
        return left.rank_of_stage_ == right.rank_of_stage_;
    }

  private:
    std::vector<int> rank_of_stage_;
    std::vector<int> chunk_of_stage_;
    std::vector<std::vector<int>> stages_of_rank_;
};

}  // namespace rrfp
