#include "runtime/starpu/iteration/chunk_ends.h"

#include "runtime/starpu/calls/cpu_codelet.h"
#include "runtime/starpu/calls/starpu_call.h"

namespace rrfp {

ChunkEnds::ChunkEnds(int chunks, ChunkEndEvents& events) {
    for (int chunk = 0; chunk < chunks; ++chunk) {
        sites_.push_back({.events = &events, .chunk = chunk});
    }
}

void ChunkEnds::begin() {
    for (Site& site : sites_) {
        site.task = starpu_task_create();
        site.task->cl = codelet();
        site.task->cl_arg = &site;
        site.task->callback_func = ended;
        site.task->callback_arg = &site;
        site.task->sched_data = &site.label;
    }
}

void ChunkEnds::follow(int chunk, starpu_task* release) {
    if (sites_.empty()) return;
    starpu_task_declare_deps_array(sites_[static_cast<std::size_t>(chunk)].task, 1, &release);
}

void ChunkEnds::submit() {
    for (const Site& site : sites_) {
        check_starpu(starpu_task_submit(site.task), "starpu_task_submit",
                     "The end of a chunk needs a CPU worker in StarPU's initial context");
    }
}

starpu_codelet* ChunkEnds::codelet() {
    static starpu_codelet codelet = cpu_codelet("chunk_end", execute, auxiliary_color);
    return &codelet;
}

void ChunkEnds::execute(void* /*buffers*/[], void* argument) {
    const auto& site = *static_cast<Site*>(argument);
    site.events->chunk_finished(site.chunk);
}

void ChunkEnds::ended(void* argument) { static_cast<Site*>(argument)->events->chunk_end_ended(); }

}  // namespace rrfp
