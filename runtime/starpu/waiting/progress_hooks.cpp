#include "runtime/starpu/waiting/progress_hooks.h"

#include <atomic>
#include <starpu_mpi.h>
#include <stdexcept>

#include "runtime/mpi/single_copy.h"

namespace rrfp {
namespace {

std::atomic<Doorbell*> listening = nullptr;

}  // namespace

void look_for_messages() {
    if (Doorbell* bell = listening.load(std::memory_order_acquire)) bell->ring_own();
}

#ifdef STARPU_MPI_HAVE_PROGRESS_HOOKS

bool have_progress_hooks() { return true; }

ProgressHooks::ProgressHooks(Doorbell& bell, bool all_ring)
    : bell_(bell), sleeper_(bell, all_ring, mpi_copies_once()) {
    starpu_mpi_progress_hooks hooks{};
    hooks.arg = this;
    hooks.cycle_end = [](const starpu_mpi_progress_state* state, void* self) {
        static_cast<ProgressHooks*>(self)->sleeper_.cycle_ended(
            {.fruitful = state->actions != 0,
             .pending = state->pending,
             .pending_bytes = state->pending_bytes,
             .largest_pending = state->largest_pending});
    };
    hooks.request_submitted = [](void* self) {
        static_cast<ProgressHooks*>(self)->bell_.ring_own();
    };
    hooks.message_posted = [](int world_rank, void* self) {
        static_cast<ProgressHooks*>(self)->bell_.ring(world_rank);
    };
    starpu_mpi_set_progress_hooks(&hooks);
    listening.store(&bell, std::memory_order_release);
}

ProgressHooks::~ProgressHooks() {
    listening.store(nullptr, std::memory_order_release);
    starpu_mpi_set_progress_hooks(nullptr);
}

#else

bool have_progress_hooks() { return false; }

ProgressHooks::ProgressHooks(Doorbell& bell, bool all_ring)
    : bell_(bell), sleeper_(bell, all_ring, mpi_copies_once()) {
    throw std::runtime_error(
        "waiting = doorbell needs StarPU-MPI's progress hooks, and this StarPU has none. Build "
        "StarPU with scripts/setup, or choose nap");
}

ProgressHooks::~ProgressHooks() = default;

#endif

}  // namespace rrfp
