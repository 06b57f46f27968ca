#include "adapters/collectives/gradient_reduction.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace rrfp {

GradientReduction::GradientReduction(std::vector<Chunk> chunks)
    : chunks_(std::move(chunks)), started_(chunks_.size()) {}

void GradientReduction::start(int chunk) {
    const auto index = static_cast<std::size_t>(chunk);
    if (started_.at(index)) {
        throw std::logic_error(
            fmt::format("the gradients of chunk {} are reduced twice in an iteration", chunk));
    }
    started_[index] = true;
    for (const Elements& bucket : chunks_[index].buckets) {
        under_way_.push_back(chunks_[index].group->start_all_reduce(bucket, Reduction::sum));
        ++reductions_;
    }
}

void GradientReduction::advance() {
    std::erase_if(under_way_, [](const auto& operation) { return operation->finished(); });
}

void GradientReduction::finish() {
    const auto missing = std::ranges::find(started_, false);
    if (missing != started_.end()) {
        throw std::logic_error(
            fmt::format("the iteration ends, but the gradients of chunk {} are "
                        "not being reduced",
                        missing - started_.begin()));
    }
    for (const auto& operation : under_way_) operation->wait();
    under_way_.clear();
    started_.assign(chunks_.size(), false);
}

}  // namespace rrfp
