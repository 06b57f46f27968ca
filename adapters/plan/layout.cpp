#include "adapters/plan/layout.h"

#include <stdexcept>

#include <fmt/format.h>

#include "runtime/core/checked_math.h"

namespace rrfp {

Layout::Layout(int pipeline_ranks, int data_ranks, int tensor_ranks)
    : pipeline_ranks_(pipeline_ranks), data_ranks_(data_ranks), tensor_ranks_(tensor_ranks) {
    if (pipeline_ranks < 1 || data_ranks < 1 || tensor_ranks < 1) {
        throw std::invalid_argument(
            fmt::format("layout: {} pipeline, {} data and {} tensor ranks; each must be 1 or more",
                        pipeline_ranks, data_ranks, tensor_ranks));
    }
    if (!checked_product({pipeline_ranks, data_ranks, tensor_ranks})) {
        throw std::invalid_argument(
            fmt::format("layout: {} pipeline x {} data x {} tensor ranks are more than can be "
                        "counted; lower one of them",
                        pipeline_ranks, data_ranks, tensor_ranks));
    }
}

RankPlace Layout::place(int world_rank) const {
    return {.pipeline = world_rank / tensor_ranks_ / data_ranks_,
            .data = world_rank / tensor_ranks_ % data_ranks_,
            .tensor = world_rank % tensor_ranks_};
}

int Layout::world_rank(const RankPlace& place) const {
    return (place.pipeline * data_ranks_ + place.data) * tensor_ranks_ + place.tensor;
}

std::vector<int> Layout::pipeline_group(int world_rank) const {
    RankPlace place = this->place(world_rank);
    std::vector<int> group;
    for (place.pipeline = 0; place.pipeline < pipeline_ranks_; ++place.pipeline) {
        group.push_back(this->world_rank(place));
    }
    return group;
}

std::vector<int> Layout::tensor_group(int world_rank) const {
    RankPlace place = this->place(world_rank);
    std::vector<int> group;
    for (place.tensor = 0; place.tensor < tensor_ranks_; ++place.tensor) {
        group.push_back(this->world_rank(place));
    }
    return group;
}

std::vector<int> Layout::data_group(int world_rank) const {
    RankPlace place = this->place(world_rank);
    std::vector<int> group;
    for (place.data = 0; place.data < data_ranks_; ++place.data) {
        group.push_back(this->world_rank(place));
    }
    return group;
}

std::vector<int> Layout::stage_group(int world_rank) const {
    const int pipeline = place(world_rank).pipeline;
    const int size = data_ranks_ * tensor_ranks_;
    std::vector<int> group;
    for (int i = 0; i < size; ++i) group.push_back(pipeline * size + i);
    return group;
}

}  // namespace rrfp
