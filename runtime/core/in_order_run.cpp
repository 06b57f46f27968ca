#include "runtime/core/in_order_run.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rrfp {

InOrderRun::InOrderRun(const Pipeline& pipeline, const HintOrder& lists, Duration duration)
    : pipeline_(pipeline),
      lists_(lists),
      duration_(std::move(duration)),
      free_at_(lists.size()),
      starts_(lists.size()) {}

void InOrderRun::advance() {
    std::unordered_map<Task, std::vector<int>> waiting;  // for what: the ranks
    std::vector<int> able(lists_.size());
    std::iota(able.begin(), able.end(), 0);
    while (!able.empty()) {
        const int rank = able.back();
        able.pop_back();
        while (position(rank) < lists_[rank].size()) {
            if (const auto missing = awaited(rank)) {
                waiting[*missing].push_back(rank);
                break;
            }
            const Task& task = lists_[rank][position(rank)];
            run_next(rank);
            const auto woken = waiting.extract(task);
            if (!woken.empty()) {
                able.insert(able.end(), woken.mapped().begin(), woken.mapped().end());
            }
        }
    }
}

void InOrderRun::run_next(int rank) {
    const Task& task = lists_[rank][position(rank)];
    double start = free_at_[rank];
    for (const Task& input : pipeline_.predecessors(task)) {
        start = std::max(start, done_.at(input));
    }
    starts_[rank].push_back(start);
    free_at_[rank] = start + duration_(task);
    done_.insert_or_assign(task, free_at_[rank]);
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
