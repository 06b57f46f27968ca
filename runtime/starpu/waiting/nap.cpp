#include "runtime/starpu/waiting/nap.h"

#include <atomic>
#include <chrono>
#include <dlfcn.h>
#include <mpi.h>
#include <stdexcept>
#include <thread>

#include "runtime/system/this_thread.h"

namespace rrfp {
namespace {

std::atomic<bool> enabled = false;

/// Recognises polling cycles in one thread's calls of MPI_Test.
///
/// The first request that is found incomplete becomes the cycle's mark. When it is tested again
/// and nothing was complete in between, a whole cycle has found nothing. The mark is an address
/// that is compared, never followed.
class FruitlessCycles {
  public:
    void tested(const MPI_Request* request, bool complete) {
        if (complete) {
            mark_ = nullptr;
            cycles_ = 0;
        } else if (mark_ == nullptr) {
            mark_ = request;
        } else if (request == mark_ && ++cycles_ > patience) {
            nap();
        }
    }

  private:
    static constexpr int patience = 10;
    static constexpr std::chrono::microseconds length{30};

    static void nap() {
        this_thread::set_precise_timers();
        std::this_thread::sleep_for(length);
    }

    const MPI_Request* mark_ = nullptr;
    int cycles_ = 0;
};

thread_local FruitlessCycles fruitless_cycles;

}  // namespace

void enable_naps() {
    if (dlsym(RTLD_DEFAULT, "MPI_Test") != reinterpret_cast<void*>(&MPI_Test)) {
        throw std::runtime_error(
            "waiting = nap needs rrfp's MPI_Test in front of MPI's, and MPI was loaded first. Link "
            "rrfp into the program itself, build StarPU with scripts/setup for the doorbell, or "
            "choose spin");
    }
    enabled.store(true, std::memory_order_relaxed);
}

void disable_naps() { enabled.store(false, std::memory_order_relaxed); }

}  // namespace rrfp

extern "C" int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    const int code = PMPI_Test(request, flag, status);
    if (rrfp::enabled.load(std::memory_order_relaxed)) {
        rrfp::fruitless_cycles.tested(request, code != MPI_SUCCESS || *flag != 0);
    }
    return code;
}
