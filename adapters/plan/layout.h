#pragma once

#include <vector>

namespace rrfp {

/// A rank's index in each of its groups.
struct RankPlace {
    int pipeline = 0;
    int data = 0;
    int tensor = 0;

    friend bool operator==(const RankPlace&, const RankPlace&) = default;
};

/// Which world rank does what: world = (pipeline * data ranks + data) * tensor ranks + tensor. The
/// ranks of a tensor group, which talk most, are neighbours; then come replicas, then pipeline
/// ranks, as in Megatron-LM's default order.
///
/// Groups are lists of world ranks, ascending in the index that varies.
class Layout {
  public:
    /// Sizes of 1 or more, whose product is an int; std::invalid_argument otherwise.
    Layout(int pipeline_ranks, int data_ranks, int tensor_ranks);

    int world_size() const { return pipeline_ranks_ * data_ranks_ * tensor_ranks_; }
    int pipeline_ranks() const { return pipeline_ranks_; }
    int data_ranks() const { return data_ranks_; }
    int tensor_ranks() const { return tensor_ranks_; }

    RankPlace place(int world_rank) const;
    int world_rank(const RankPlace& place) const;

    /// The pipeline that `world_rank` is part of: entry p is its pipeline rank p.
    std::vector<int> pipeline_group(int world_rank) const;
    /// The ranks that share the layers of `world_rank`.
    std::vector<int> tensor_group(int world_rank) const;
    /// The ranks that hold the same parameters as `world_rank`, one a replica.
    std::vector<int> data_group(int world_rank) const;
    /// All ranks that hold the stages of `world_rank`: of every replica and tensor index.
    std::vector<int> stage_group(int world_rank) const;

  private:
    int pipeline_ranks_;
    int data_ranks_;
    int tensor_ranks_;
};

}  // namespace rrfp
