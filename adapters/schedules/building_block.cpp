#include "adapters/schedules/building_block.h"

#include <array>
#include <deque>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace rrfp {
namespace {

constexpr int period = 6;  // units that a rank works for a microbatch: F, B and W of two chunks

/// When a microbatch that starts at 0 is where: the times of each rank's four tasks.
class Block {
  public:
    /// `turns`: units waited at the foot, the head and the foot of the V.
    Block(int ranks, const VPace& pace, const std::array<int, 3>& turns) : times_(ranks) {
        int time = -1;
        const auto quarter = [&](int task, bool down, int wait, int step) {
            time += 1 + wait;
            for (int i = 0; i < ranks; ++i) {
                times_[down ? i : ranks - 1 - i][task] = time;
                time += i + 1 < ranks ? step : 0;
            }
        };
        quarter(0, true, 0, pace.forward_down);
        quarter(1, false, turns[0], pace.forward_up);
        quarter(2, true, turns[1], pace.backward_down);
        quarter(3, false, turns[2], pace.backward_up);
    }

    /// Whether blocks repeated each period never give a rank two tasks at once.
    bool repeats() const {
        for (const auto& times : times_) {
            std::array<bool, period> taken{};
            for (const int time : times) {
                if (std::exchange(taken[time % period], true)) {
                    return false;
                }
            }
        }
        return true;
    }

    /// [F down, F up, B up's stage, B down's stage] of `rank`.
    const std::array<int, 4>& times(int rank) const { return times_[rank]; }

  private:
    std::vector<std::array<int, 4>> times_;
};

Block first_that_repeats(int ranks, const VPace& pace) {
    for (int waited = 0; waited <= 3 * (period - 1); ++waited) {
        for (int foot = 0; foot <= waited && foot < period; ++foot) {
            for (int head = 0; foot + head <= waited && head < period; ++head) {
                const Block block(ranks, pace, {foot, head, waited - foot - head});
                if (block.repeats()) {
                    return block;
                }
            }
        }
    }
    throw std::logic_error(fmt::format("no building block at pace {} {} {} {} repeats on {} ranks",
                                       pace.forward_down, pace.forward_up, pace.backward_down,
                                       pace.backward_up, ranks));
}

std::vector<Task> repeat(const Block& block, int ranks, int rank, int microbatches) {
    const int down = rank;
    const int up = 2 * ranks - 1 - rank;
    const auto& times = block.times(rank);
    std::map<int, Task> at;
    for (int microbatch = 0; microbatch < microbatches; ++microbatch) {
        const int begin = period * microbatch;
        at[begin + times[0]] = {TaskKind::forward, down, microbatch};
        at[begin + times[1]] = {TaskKind::forward, up, microbatch};
        at[begin + times[2]] = {TaskKind::backward, up, microbatch};
        at[begin + times[3]] = {TaskKind::backward, down, microbatch};
    }
    std::vector<Task> list;
    std::deque<Task> weight_gradients;
    const auto run_weight_gradients = [&](int units) {
        for (; units > 0 && !weight_gradients.empty(); --units) {
            list.push_back(weight_gradients.front());
            weight_gradients.pop_front();
        }
    };
    int free_at = 0;
    for (const auto& [time, task] : at) {
        run_weight_gradients(time - free_at);
        free_at = time + 1;
        list.push_back(task);
        if (task.kind == TaskKind::backward) {
            weight_gradients.push_back({TaskKind::weight_gradient, task.stage, task.microbatch});
        }
    }
    run_weight_gradients(2 * microbatches);
    return list;
}

}  // namespace

HintOrder repeat_block(int ranks, int microbatches, const VPace& pace) {
    const Block block = first_that_repeats(ranks, pace);
    HintOrder hint;
    for (int rank = 0; rank < ranks; ++rank) {
        hint.push_back(repeat(block, ranks, rank, microbatches));
    }
    return hint;
}

}  // namespace rrfp
