#pragma once

#include <starpu.h>

namespace rrfp {

/// While it lives, StarPU's other threads may change what they keep of the calling worker: they
/// need not wait for one that sleeps. Made and destroyed without the context's lock: both take the
/// worker's own, under which StarPU calls in elsewhere.
class RelaxedWorker {
  public:
    RelaxedWorker() { starpu_worker_relax_on(); }
    ~RelaxedWorker() { starpu_worker_relax_off(); }
    RelaxedWorker(const RelaxedWorker&) = delete;
    RelaxedWorker& operator=(const RelaxedWorker&) = delete;
};

}  // namespace rrfp
