#pragma once

#include <vector>

#include "runtime/simulation/durations.h"

namespace rrfp {

/// The chains of tasks and messages that one microbatch follows when nothing else is in its way.
class MicrobatchPaths {
  public:
    MicrobatchPaths(const Pipeline& pipeline, const Durations& durations);

    /// Takes up another microbatch: what the functions below tell is of this one.
    void follow(int microbatch);

    /// The longest chain before the task: no run starts it earlier.
    double head_ms(TaskKind kind, int stage) const { return heads_[slot(kind, stage)]; }
    /// The longest chain after the end of the task.
    double tail_ms(TaskKind kind, int stage) const { return tails_[slot(kind, stage)]; }
    /// The longest chain of the microbatch, from end to end.
    double longest_ms() const { return longest_; }
    /// From the start of the stage's forward to its release: the time that the microbatch is in
    /// flight there.
    double round_trip_ms(int stage) const;

  private:
    std::size_t slot(TaskKind kind, int stage) const {
        return static_cast<std::size_t>(kind) * stages_ + stage;
    }
    double& head(TaskKind kind, int stage) { return heads_[slot(kind, stage)]; }
    double& tail(TaskKind kind, int stage) { return tails_[slot(kind, stage)]; }
    double task_ms(TaskKind kind, int stage) const;
    double message_ms(TaskKind kind, int stage) const;
    void follow_heads();
    void follow_tails();

    const Pipeline& pipeline_;
    const Durations& durations_;
    int stages_;
    int microbatch_ = 0;
    double longest_ = 0;
    std::vector<double> heads_;  // [kind * stages + stage]
    std::vector<double> tails_;
};

}  // namespace rrfp
