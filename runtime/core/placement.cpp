#include "runtime/core/placement.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace rrfp {
namespace {

/// Chunk after chunk, one stage for each rank: `rank(chunk, position)` holds the stage.
template <typename Rank>
Placement deal(int ranks, int chunks, const Rank& rank) {
    if (ranks < 1 || chunks < 1) {
        throw std::invalid_argument(fmt::format(
            "placement: {} ranks with {} chunks each; both must be 1 or more", ranks, chunks));
    }
    std::vector<int> rank_of_stage;
    for (int chunk = 0; chunk < chunks; ++chunk) {
        for (int position = 0; position < ranks; ++position) {
            rank_of_stage.push_back(rank(chunk, position));
        }
    }
    return Placement(std::move(rank_of_stage));
}

}  // namespace

Placement::Placement(std::vector<int> rank_of_stage) : rank_of_stage_(std::move(rank_of_stage)) {
    if (rank_of_stage_.empty()) {
        throw std::invalid_argument("placement: no stage; give one rank for each stage");
    }
    for (int stage = 0; stage < stages(); ++stage) {
        const int rank = rank_of_stage_[stage];
        // More ranks than stages cannot all hold one, and a wild value must not size the table.
        if (rank < 0 || rank >= stages()) {
            throw std::invalid_argument(fmt::format(
                "placement: stage {} is on rank {}; ranks count from 0 and each holds a "
                "stage, so with {} stages the last possible rank is {}",
                stage, rank, stages(), stages() - 1));
        }
    }
    stages_of_rank_.resize(1 + *std::max_element(rank_of_stage_.begin(), rank_of_stage_.end()));
    for (int stage = 0; stage < stages(); ++stage) {
        auto& held = stages_of_rank_[rank_of_stage_[stage]];
        chunk_of_stage_.push_back(static_cast<int>(held.size()));
        held.push_back(stage);
    }
    for (int rank = 0; rank < ranks(); ++rank) {
        if (stages_of_rank_[rank].empty()) {
            throw std::invalid_argument(
                fmt::format("placement: rank {} holds no stage; every rank from 0 to {} must hold "
                            "one",
                            rank, ranks() - 1));
        }
    }
}

Placement Placement::loop(int ranks, int chunks) {
    return deal(ranks, chunks, [&](int, int position) { return position; });
}

Placement Placement::wave(int ranks, int chunks) {
    return deal(ranks, chunks, [&](int chunk, int position) {
        return chunk % 2 == 0 ? position : ranks - 1 - position;
    });
}

}  // namespace rrfp
