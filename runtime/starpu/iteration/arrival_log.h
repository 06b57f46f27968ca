#pragma once

#include <mutex>
#include <vector>

#include "runtime/core/metrics.h"

namespace rrfp {

/// When messages of an iteration arrived. StarPU-MPI's thread and the submitting thread write, so
/// it has a lock, under which nothing is called.
class ArrivalLog {
  public:
    /// Before an iteration that receives `messages`.
    void begin(int messages);
    void add(const ArrivalRecord& arrival);
    /// Those of the iteration that has ended, in order.
    std::vector<ArrivalRecord> take();

  private:
    std::mutex mutex_;
    std::vector<ArrivalRecord> arrivals_;
};

}  // namespace rrfp
