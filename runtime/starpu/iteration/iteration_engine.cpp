#include "runtime/starpu/iteration/iteration_engine.h"

#include <exception>
#include <utility>

#include <fmt/format.h>

#include "runtime/starpu/failing/failure.h"
#include "runtime/system/monotonic_clock.h"

namespace rrfp {

IterationEngine::IterationEngine(const Pipeline& pipeline, int rank, TaskBody body,
                                 RunnerOptions options, bool traced)
    : pipeline_(pipeline),
      rank_(rank),
      on_chunk_finished_(std::move(options.chunk_finished)),
      window_(options.window > 0 ? options.window : pipeline.microbatches),
      failures_(world_rank_of(rank, options.world_ranks), progress_),
      execution_(std::move(body), failures_, parcels_),
      pool_(pipeline, rank, *this),
      appearance_(pipeline, rank, traced),
      messages_(world_rank_of(rank, options.world_ranks), pipeline.forward_only,
                options.world_ranks),
      chunk_ends_(
          on_chunk_finished_ && !pipeline.forward_only ? pipeline.placement.chunks(rank) : 0,
          *this),
      submission_(pipeline, messages_, appearance_, chunk_ends_, std::move(options.message_delay)) {
}

void IterationEngine::begin(std::uint64_t iteration) {
    iteration_ = iteration;
    const int tasks = pipeline_.kinds() * pipeline_.placement.chunks(rank_);
    progress_.begin(pipeline_.microbatches, window_, tasks + pool_.links().sends(),
                    chunk_ends_.count());
    chunk_ends_.begin();
    parcels_.begin_iteration();
    arrival_log_.begin(pool_.links().receives() * pipeline_.microbatches);
    execution_.begin(iteration, pipeline_.task_count(rank_));
}

void IterationEngine::submit(int microbatch) {
    MicrobatchSlot& slot = pool_.occupy(microbatch);
    try {
        submission_.set_delays(slot, iteration_);
    } catch (...) {
        // Its tasks are submitted all the same: they tell the ranks that wait for them.
        failures_.submission_failed(microbatch, std::current_exception());
    }
    try {
        submission_.submit(slot, iteration_);
        if (microbatch == pipeline_.microbatches - 1) chunk_ends_.submit();
    } catch (...) {
        failures_.submission_failed(microbatch, std::current_exception());
        throw;
    }
}

void IterationEngine::task_ended(TaskSite& site) {
    if (site.delay_ms > 0) {
        messages_.send_later(site.slot->links[site.links.output], iteration_, site.delay_ms);
    }
    progress_.ended(pool_.task_ended(site));
}

void IterationEngine::arrived(LinkSite& site, std::exception_ptr error) {
    parcels_.arrived(site);
    arrival_log_.add({.producer = {.kind = site.link->producer_kind,
                                   .stage = site.link->producer_stage,
                                   .microbatch = site.slot->microbatch},
                      .at_ms = monotonic_ms()});
    arrivals_.fetch_add(1, std::memory_order_relaxed);
    pool_.arrived(site);
    if (!error) return;
    const bool activation = site.link->direction == Direction::activation;
    failures_.message_damaged(
        {.kind = activation ? TaskKind::forward : TaskKind::backward,
         .stage = site.link->stage,
         .microbatch = site.slot->microbatch},
        fmt::format("its {}, received from rank {}, is damaged: {}", noun(site.link->direction),
                    messages_.world_rank(*site.link->receive_from), text_of(error)));
}

void IterationEngine::sent(LinkSite& site) {
    parcels_.free(site);
    pool_.sent(*site.slot);
    progress_.ended(false);
}

void IterationEngine::chunk_finished(int chunk) {
    if (failures_.current()) return;  // not every microbatch was computed
    try {
        on_chunk_finished_(chunk);
    } catch (...) {
        failures_.chunk_end_failed(chunk, std::current_exception());
    }
}

void IterationEngine::chunk_end_ended() { progress_.ended(false); }

}  // namespace rrfp
