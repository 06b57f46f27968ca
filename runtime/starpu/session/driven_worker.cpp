#include "runtime/starpu/session/driven_worker.h"

#include <array>
#include <cstring>
#include <pthread.h>
#include <sched.h>
#include <starpu.h>
#include <starpu_driver.h>
#include <stdexcept>

#include <fmt/format.h>

namespace rrfp {
namespace {

/// StarPU renames and binds a thread that becomes its worker; this one is the program's.
class KeptThread {
  public:
    KeptThread() {
        pthread_getname_np(pthread_self(), name_.data(), name_.size());
        bound_ = sched_getaffinity(0, sizeof(cores_), &cores_) == 0;
    }
    ~KeptThread() {
        pthread_setname_np(pthread_self(), name_.data());
        if (bound_) sched_setaffinity(0, sizeof(cores_), &cores_);
    }
    KeptThread(const KeptThread&) = delete;
    KeptThread& operator=(const KeptThread&) = delete;

  private:
    std::array<char, 16> name_{};
    cpu_set_t cores_{};
    bool bound_ = false;
};

}  // namespace

starpu_driver* DrivenWorker::identity() {
    static starpu_driver driver = [] {
        starpu_driver made{};
        made.type = STARPU_CPU_WORKER;
        made.id.cpu_id = 0;
        return made;
    }();
    return &driver;
}

DrivenWorker::DrivenWorker() {
    const KeptThread kept;
    if (const int code = starpu_driver_init(identity()); code != 0) {
        throw std::runtime_error(
            fmt::format("starpu_driver_init failed with code {}: {}", code, std::strerror(-code)));
    }
}

DrivenWorker::~DrivenWorker() {
    const KeptThread kept;
    starpu_driver_deinit(identity());
}

void DrivenWorker::run_once() {
    if (const int code = starpu_driver_run_once(identity()); code != 0) {
        throw std::runtime_error(fmt::format("starpu_driver_run_once failed with code {}: {}", code,
                                             std::strerror(-code)));
    }
}

}  // namespace rrfp
