#pragma once

#include <cstdint>
#include <vector>

#include "runtime/core/jitter.h"
#include "runtime/core/pipeline.h"

namespace rrfp {

/// The realised sample of one iteration: how long each task takes and how long each message is on
/// its way, milliseconds. Dense tables: look-up is one index.
class Durations {
  public:
    /// All zero.
    explicit Durations(const Pipeline& pipeline);
    /// What `jitter` draws for `iteration` over base durations `times`.
    static Durations draw(const Pipeline& pipeline, const StageTimes& times, const Jitter& jitter,
                          std::uint64_t iteration);

    double task_ms(const Task& task) const;
    /// From the end of `producer` until its consumer on another rank can run.
    double message_ms(const Task& producer) const;
    void set_task_ms(const Task& task, double ms);
    void set_message_ms(const Task& producer, double ms);

    int stages() const { return stages_; }
    int microbatches() const { return microbatches_; }

  private:
    std::size_t index(const Task& task) const;

    int stages_;
    int microbatches_;
    std::vector<double> tasks_;
    std::vector<double> messages_;
};

}  // namespace rrfp
