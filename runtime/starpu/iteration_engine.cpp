#include "runtime/starpu/iteration_engine.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "runtime/starpu/parcel_format.h"

namespace rrfp {
namespace {

const Parcel no_parcel;

}  // namespace

IterationEngine::IterationEngine(const Pipeline& pipeline, int rank, TaskBody body,
                                 RunnerOptions options, bool traced)
    : pipeline_(pipeline),
      rank_(rank),
      world_rank_(options.world_ranks.empty() ? rank : options.world_ranks.at(rank)),
      body_(std::move(body)),
      on_chunk_finished_(std::move(options.chunk_finished)),
      window_(options.window > 0 ? options.window : pipeline.microbatches),
      pool_(pipeline, rank, *this),
      appearance_(pipeline, rank, traced),
      transport_(world_rank_, pipeline.forward_only, std::move(options.world_ranks)),
      chunk_ends_(
          on_chunk_finished_ && !pipeline.forward_only ? pipeline.placement.chunks(rank) : 0,
          *this),
      submission_(pipeline, transport_, appearance_, chunk_ends_,
                  std::move(options.message_delay)) {}

void IterationEngine::begin(std::uint64_t iteration) {
    iteration_ = iteration;
    const int tasks = pipeline_.kinds() * pipeline_.placement.chunks(rank_);
    progress_.begin(pipeline_.microbatches, window_, tasks + pool_.links().sends(),
                    chunk_ends_.count());
    chunk_ends_.begin();
    accounts_.begin_iteration();
    records_.clear();
    records_.reserve(static_cast<std::size_t>(pipeline_.task_count(rank_)));
}

void IterationEngine::submit(int microbatch) {
    MicrobatchSlot& slot = pool_.occupy(microbatch);
    try {
        submission_.set_delays(slot, iteration_);
    } catch (...) {
        progress_.withdraw();
        throw;
    }
    submission_.submit(slot, iteration_);
    if (microbatch == pipeline_.microbatches - 1) chunk_ends_.submit();
}

std::vector<TaskRecord> IterationEngine::take_records() { return std::exchange(records_, {}); }

void IterationEngine::execute(TaskSite& site) {
    busy_.store(true, std::memory_order_relaxed);
    TaskRecord record{.task = site.label.task, .start_ms = Runtime::now_ms()};
    Parcel result = compute(site);
    record.end_ms = Runtime::now_ms();
    records_.push_back(record);
    // Before StarPU lets the result go: a peer's next task must not find these entries still here.
    keep(site, std::move(result));
    free_inputs(site);
    busy_.store(false, std::memory_order_relaxed);
}

void IterationEngine::task_ended(TaskSite& site) {
    if (site.delay_ms > 0) {
        transport_.send_later(site.slot->links[site.links.output], iteration_, site.delay_ms);
    }
    progress_.ended(pool_.task_ended(site));
}

void IterationEngine::arrived(LinkSite& site, std::exception_ptr error) {
    accounts_.enter(site.link->buffer(), site.handle.cell().bytes());
    arrivals_.fetch_add(1, std::memory_order_relaxed);
    pool_.arrived(site);
    if (!error) return;
    const bool activation = site.link->direction == Direction::activation;
    const std::string text =
        fmt::format("its {}, received from rank {}, is damaged: {}", noun(site.link->direction),
                    transport_.world_rank(*site.link->receive_from), text_of(error));
    const Task reader{.kind = activation ? TaskKind::forward : TaskKind::backward,
                      .stage = site.link->stage,
                      .microbatch = site.slot->microbatch};
    fail(std::make_shared<RemoteFailure>(
             RemoteFailure{.rank = world_rank_, .task = reader, .text = text}),
         std::make_exception_ptr(std::runtime_error(text)));
}

void IterationEngine::sent(LinkSite& site) {
    release(site);
    pool_.sent(*site.slot);
    progress_.ended(false);
}

void IterationEngine::chunk_finished(int chunk) {
    if (progress_.failure()) return;  // not every microbatch was computed
    try {
        on_chunk_finished_(chunk);
    } catch (...) {
        fail(std::make_shared<RemoteFailure>(
                 RemoteFailure{.rank = world_rank_,
                               .task = {},
                               .text = fmt::format("the end of chunk {}: {}", chunk,
                                                   text_of(std::current_exception()))}),
             nullptr);
    }
}

void IterationEngine::chunk_end_ended() { progress_.ended(false); }

Parcel IterationEngine::compute(const TaskSite& site) {
    // After a failure tasks only pass it on, so that all ranks learn of it.
    if (auto failure = progress_.failure()) return {.tensors = {}, .failure = std::move(failure)};
    if (auto failure = failure_of_inputs(site)) {
        fail(failure, std::make_exception_ptr(std::runtime_error(failure->text)));
        return {.tensors = {}, .failure = std::move(failure)};
    }
    try {
        return call_body(site);
    } catch (...) {
        const auto cause = std::current_exception();
        const auto failure = std::make_shared<RemoteFailure>(
            RemoteFailure{.rank = world_rank_, .task = site.label.task, .text = text_of(cause)});
        fail(failure, cause);
        return {.tensors = {}, .failure = failure};
    }
}

Parcel IterationEngine::call_body(const TaskSite& site) {
    Parcel result;
    result.tensors = body_(site.label.task, iteration_, parcel(site, site.links.input).tensors,
                           parcel(site, site.links.gradient).tensors);
    const int output = site.links.output;
    const bool sends = output >= 0 && site.slot->links[output].link->send_to;
    return sends ? parcel_format::sendable(std::move(result)) : result;
}

std::shared_ptr<const RemoteFailure> IterationEngine::failure_of_inputs(
    const TaskSite& site) const {
    const auto& failure = parcel(site, site.links.input).failure;
    return failure ? failure : parcel(site, site.links.gradient).failure;
}

const Parcel& IterationEngine::parcel(const TaskSite& site, int link) const {
    return link < 0 ? no_parcel : site.slot->links[link].handle.cell().parcel();
}

void IterationEngine::keep(const TaskSite& site, Parcel result) {
    if (site.links.output < 0) return;
    LinkSite& output = site.slot->links[site.links.output];
    output.handle.cell().set(std::move(result));
    accounts_.enter(output.link->buffer(), output.handle.cell().bytes());
}

void IterationEngine::free_inputs(const TaskSite& site) {
    for (const int index : {site.links.input, site.links.gradient}) {
        if (index < 0) continue;
        LinkSite& link = site.slot->links[index];
        if (link.link->last_reader == site.label.task.kind) release(link);
    }
}

void IterationEngine::release(LinkSite& site) {
    accounts_.leave(site.link->buffer(), site.handle.cell().bytes());
    site.handle.cell().clear();
}

void IterationEngine::fail_arbitration(const std::string& text) {
    fail(std::make_shared<RemoteFailure>(
             RemoteFailure{.rank = world_rank_, .task = {}, .text = "arbitration failed: " + text}),
         nullptr);
}

void IterationEngine::interrupt(std::exception_ptr error) {
    auto remote = std::make_shared<RemoteFailure>(
        RemoteFailure{.rank = world_rank_, .task = {}, .text = "interrupted: " + text_of(error)});
    progress_.fail(std::move(error), std::move(remote));
}

void IterationEngine::fail(std::shared_ptr<const RemoteFailure> failure, std::exception_ptr cause) {
    auto error =
        failure->task
            ? std::make_exception_ptr(TaskFailure(failure->rank, *failure->task, std::move(cause)))
            : std::make_exception_ptr(
                  std::runtime_error(fmt::format("rank {}: {}", failure->rank, failure->text)));
    progress_.fail(std::move(error), std::move(failure));
}

}  // namespace rrfp
