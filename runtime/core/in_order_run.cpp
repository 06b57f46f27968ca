#include "runtime/core/in_order_run.h"

#include <algorithm>
#include <utility>

namespace rrfp {

InOrderRun::InOrderRun(const Pipeline& pipeline, const HintOrder& lists, Duration duration)
    : pipeline_(pipeline),
      lists_(lists),
      duration_(std::move(duration)),
      free_at_(lists.size()),
      starts_(lists.size()) {}

void InOrderRun::advance() {
    for (bool progress = true; progress;) {
        progress = false;
        for (std::size_t rank = 0; rank < lists_.size(); ++rank) {
            while (position(rank) < lists_[rank].size() && !awaited(rank)) {
                const Task& task = lists_[rank][position(rank)];
                double start = free_at_[rank];
                for (const Task& input : pipeline_.predecessors(task)) {
                    start = std::max(start, done_.at(input));
                }
                starts_[rank].push_back(start);
                free_at_[rank] = start + duration_(task);
                done_.insert_or_assign(task, free_at_[rank]);
                progress = true;
            }
        }
    }
}

bool InOrderRun::finished() const {
    for (std::size_t rank = 0; rank < lists_.size(); ++rank) {
        if (position(rank) < lists_[rank].size()) {
            return false;
        }
    }
    return true;
}

std::optional<Task> InOrderRun::awaited(int rank) const {
    if (position(rank) == lists_[rank].size()) {
        return std::nullopt;
    }
    for (const Task& input : pipeline_.predecessors(lists_[rank][position(rank)])) {
        if (!done_.contains(input)) {
            return input;
        }
    }
    return std::nullopt;
}

}  // namespace rrfp
