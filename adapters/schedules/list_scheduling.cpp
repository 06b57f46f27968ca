#include "adapters/schedules/list_scheduling.h"

#include <array>
#include <queue>
#include <set>
#include <tuple>

namespace rrfp {
namespace {

struct End {
    int time;
    Task task;

    bool operator>(const End& other) const {
        return std::tie(time, task) > std::tie(other.time, other.task);
    }
};

class ListScheduling {
  public:
    explicit ListScheduling(const ListRules& rules)
        : rules_(rules), ready_(rules.ranks), free_at_(rules.ranks), lists_(rules.ranks) {}

    HintOrder run() {
        for (int microbatch = 0; microbatch < rules_.microbatches; ++microbatch) {
            add({TaskKind::forward, 0, microbatch});
        }
        for (int now = 0;;) {
            for (int rank = 0; rank < rules_.ranks; ++rank) {
                start(rank, now);
            }
            if (ends_.empty()) {
                return std::move(lists_);
            }
            now = ends_.top().time;
            while (!ends_.empty() && ends_.top().time == now) {
                const Task task = ends_.top().task;
                ends_.pop();
                ended(task);
            }
        }
    }

  private:
    using Key = std::tuple<int, int, Task>;  // age, -stage, the task

    void add(const Task& task) {
        const int kind = task.kind == TaskKind::forward ? 0 : 1;
        ready_[rules_.rank_of(task.stage, task.microbatch)][kind].insert(
            {rules_.age(task.microbatch), -task.stage, task});
    }

    void start(int rank, int now) {
        if (free_at_[rank] > now) {
            return;
        }
        auto& [forwards, backwards] = ready_[rank];
        auto& list = lists_[rank];
        const bool after_backward = !list.empty() && list.back().kind == TaskKind::backward;
        auto& wanted = after_backward ? forwards : backwards;
        auto& other = after_backward ? backwards : forwards;
        auto& chosen = wanted.empty() ? other : wanted;
        if (chosen.empty()) {
            return;
        }
        const Task task = std::get<Task>(*chosen.begin());
        chosen.erase(chosen.begin());
        list.push_back(task);
        free_at_[rank] = now + (task.kind == TaskKind::forward ? 1 : rules_.backward_units);
        ends_.push({free_at_[rank], task});
    }

    void ended(const Task& task) {
        const auto [kind, stage, microbatch] = task;
        if (kind == TaskKind::backward) {
            if (stage > 0) {
                add({kind, stage - 1, microbatch});
            }
        } else if (stage + 1 < rules_.stages) {
            add({kind, stage + 1, microbatch});
        } else {
            add({TaskKind::backward, stage, microbatch});
        }
    }

    const ListRules& rules_;
    std::vector<std::array<std::set<Key>, 2>> ready_;  // [rank][forward, backward]
    std::vector<int> free_at_;
    HintOrder lists_;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace

HintOrder schedule_lists(const ListRules& rules) { return ListScheduling(rules).run(); }

}  // namespace rrfp
