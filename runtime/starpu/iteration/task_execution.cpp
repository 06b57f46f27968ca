#include "runtime/starpu/iteration/task_execution.h"

#include <exception>
#include <memory>
#include <utility>

#include "runtime/starpu/failing/life_sign.h"
#include "runtime/starpu/messages/parcel_format.h"
#include "runtime/system/monotonic_clock.h"

namespace rrfp {
namespace {

std::shared_ptr<const RemoteFailure> failure_of_inputs(const TaskSite& site) {
    const auto& failure = LinkParcels::of(site, site.links.input).failure;
    return failure ? failure : LinkParcels::of(site, site.links.gradient).failure;
}

}  // namespace

void TaskExecution::begin(std::uint64_t iteration, int tasks) {
    iteration_ = iteration;
    records_.clear();
    records_.reserve(static_cast<std::size_t>(tasks));
}

void TaskExecution::run(const TaskSite& site) {
    busy_.store(true, std::memory_order_relaxed);
    life_sign().begin_task(site.label.task);
    TaskRecord record{.task = site.label.task, .start_ms = monotonic_ms()};
    Parcel result = result_of(site);
    record.end_ms = monotonic_ms();
    records_.push_back(record);
    // Before StarPU lets the result go: a peer's next task must not find these entries still here.
    parcels_.keep(site, std::move(result));
    parcels_.free_inputs(site);
    life_sign().end_task();
    busy_.store(false, std::memory_order_relaxed);
}

std::vector<TaskRecord> TaskExecution::take_records() { return std::exchange(records_, {}); }

Parcel TaskExecution::result_of(const TaskSite& site) {
    if (auto failure = failures_.current()) return {.tensors = {}, .failure = std::move(failure)};
    if (auto failure = failure_of_inputs(site)) {
        failures_.failed_elsewhere(failure);
        return {.tensors = {}, .failure = std::move(failure)};
    }
    try {
        return call_body(site);
    } catch (...) {
        return {.tensors = {},
                .failure = failures_.task_failed(site.label.task, std::current_exception())};
    }
}

Parcel TaskExecution::call_body(const TaskSite& site) {
    Parcel result;
    result.tensors =
        body_(site.label.task, iteration_, LinkParcels::of(site, site.links.input).tensors,
              LinkParcels::of(site, site.links.gradient).tensors);
    const int output = site.links.output;
    const bool sends = output >= 0 && site.slot->links[output].link->send_to;
    return sends ? parcel_format::sendable(std::move(result)) : result;
}

}  // namespace rrfp
