#include "runtime/simulation/bounds.h"

#include <algorithm>
#include <limits>

namespace rrfp {
namespace {

/// Least head and tail and the sum of work at a rank.
struct RankWork {
    double head = std::numeric_limits<double>::infinity();
    double work = 0;
    double tail = std::numeric_limits<double>::infinity();
};

/// The tasks of one microbatch in an order that respects who precedes whom.
std::vector<Task> path_of(const Pipeline& pipeline, int microbatch) {
    std::vector<Task> path;
    for (int stage = 0; stage <= pipeline.last_stage(); ++stage) {
        path.push_back({TaskKind::forward, stage, microbatch});
    }
    for (int kind = 1; kind < pipeline.kinds(); ++kind) {
        for (int stage = pipeline.last_stage(); stage >= 0; --stage) {
            path.push_back({static_cast<TaskKind>(kind), stage, microbatch});
        }
    }
    return path;
}

class MicrobatchPaths {
  public:
    MicrobatchPaths(const Pipeline& pipeline, const Durations& durations)
        : pipeline_(pipeline),
          durations_(durations),
          heads_(static_cast<std::size_t>(task_kinds) * durations.stages()),
          tails_(heads_.size()) {}

    /// Adds one microbatch to the work of the ranks; returns its longest chain.
    double add(int microbatch, std::vector<RankWork>& ranks) {
        const std::vector<Task> path = path_of(pipeline_, microbatch);
        double longest = 0;
        for (const Task& task : path) {
            double& head = heads_[slot(task)];
            head = 0;
            for (const Task& input : pipeline_.predecessors(task)) {
                head = std::max(head, heads_[slot(input)] + durations_.task_ms(input) +
                                          message_ms(input, task));
            }
            longest = std::max(longest, head + durations_.task_ms(task));
        }
        for (auto task = path.rbegin(); task != path.rend(); ++task) {
            double& tail = tails_[slot(*task)];
            tail = 0;
            for (const Task& reader : pipeline_.successors(*task)) {
                tail = std::max(tail, message_ms(*task, reader) + durations_.task_ms(reader) +
                                          tails_[slot(reader)]);
            }
            RankWork& rank = ranks[pipeline_.placement.rank_of(task->stage)];
            rank.head = std::min(rank.head, heads_[slot(*task)]);
            rank.tail = std::min(rank.tail, tail);
            rank.work += durations_.task_ms(*task);
        }
        return longest;
    }

  private:
    std::size_t slot(const Task& task) const {
        return static_cast<std::size_t>(task.kind) * durations_.stages() + task.stage;
    }
    double message_ms(const Task& from, const Task& to) const {
        return pipeline_.crosses_ranks(from, to) ? durations_.message_ms(from) : 0;
    }

    const Pipeline& pipeline_;
    const Durations& durations_;
    std::vector<double> heads_;  // earliest start of each (kind, stage) of this microbatch
    std::vector<double> tails_;  // longest chain after it
};

}  // namespace

Bounds bounds(const Pipeline& pipeline, const Durations& durations) {
    Bounds result;
    std::vector<RankWork> ranks(pipeline.placement.ranks());
    MicrobatchPaths paths(pipeline, durations);
    for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
        result.critical_path_ms = std::max(result.critical_path_ms, paths.add(microbatch, ranks));
    }
    result.lower_bound_ms = result.critical_path_ms;
    for (const RankWork& rank : ranks) {
        result.rank_work_ms.push_back(rank.head + rank.work + rank.tail);
        result.lower_bound_ms = std::max(result.lower_bound_ms, result.rank_work_ms.back());
    }
    return result;
}

}  // namespace rrfp
