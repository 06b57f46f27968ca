#include "runtime/starpu/iteration/microbatch_slot.h"

#include <algorithm>
#include <utility>

namespace rrfp {

MicrobatchSlot::MicrobatchSlot(const Pipeline& pipeline, int rank, const RankLinks& rank_links,
                               SlotEvents& events)
    : chunks(pipeline.placement.chunks(rank)) {
    for (const Link& link : rank_links.links()) {
        LinkSite& site = links.emplace_back();
        site.events = &events;
        site.slot = this;
        site.link = &link;
        if (!link.receive_from) continue;
        site.handle.cell().on_arrival([&site](const TensorCell&, std::exception_ptr error) {
            site.events->arrived(site, std::move(error));
        });
    }
    for (int kind = 0; kind < pipeline.kinds(); ++kind) {
        for (const int stage : pipeline.placement.stages_of(rank)) {
            TaskSite& site = tasks.emplace_back();
            site.events = &events;
            site.slot = this;
            site.label.task = {.kind = static_cast<TaskKind>(kind), .stage = stage};
            site.links = rank_links.of(site.label.task.kind, stage);
        }
    }
}

SlotPool::SlotPool(const Pipeline& pipeline, int rank, SlotEvents& events)
    : pipeline_(pipeline), rank_(rank), links_(pipeline, rank), events_(events) {}

MicrobatchSlot& SlotPool::occupy(int microbatch) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
        free_.push_back(&slots_.emplace_back(pipeline_, rank_, links_, events_));
    }
    MicrobatchSlot& slot = *free_.back();
    free_.pop_back();
    slot.microbatch = microbatch;
    slot.work_left = static_cast<int>(slot.tasks.size()) + links_.sends();
    slot.until_leaving = slot.chunks;
    for (TaskSite& site : slot.tasks) {
        site.label.task.microbatch = microbatch;
        site.ended = false;
    }
    for (LinkSite& site : slot.links) site.arrived = false;
    return slot;
}

bool SlotPool::task_ended(TaskSite& site) {
    const std::lock_guard lock(mutex_);
    MicrobatchSlot& slot = *site.slot;
    site.ended = true;
    const TaskKind leaving = pipeline_.forward_only ? TaskKind::forward : TaskKind::backward;
    const bool leaves = site.label.task.kind == leaving && --slot.until_leaving == 0;
    count_down(slot);
    return leaves;
}

void SlotPool::sent(MicrobatchSlot& slot) {
    const std::lock_guard lock(mutex_);
    count_down(slot);
}

void SlotPool::arrived(LinkSite& site) {
    const std::lock_guard lock(mutex_);
    site.arrived = true;
}

std::vector<AwaitedMessage> SlotPool::awaited() const {
    const std::lock_guard lock(mutex_);
    std::vector<AwaitedMessage> result;
    for (std::size_t i = 0; i < links_.links().size(); ++i) {
        std::vector<int> missing;
        for (const MicrobatchSlot& slot : slots_) {
            if (is_awaited(slot, slot.links[i])) missing.push_back(slot.microbatch);
        }
        if (missing.empty()) continue;
        result.push_back({.link = &links_.links()[i],
                          .microbatch = *std::ranges::min_element(missing),
                          .later = static_cast<int>(missing.size()) - 1});
    }
    return result;
}

void SlotPool::count_down(MicrobatchSlot& slot) {
    if (--slot.work_left > 0) return;
    slot.microbatch = -1;
    free_.push_back(&slot);
}

bool SlotPool::is_awaited(const MicrobatchSlot& slot, const LinkSite& site) const {
    if (slot.microbatch < 0 || !site.link->receive_from || site.arrived) return false;
    if (site.link->direction == Direction::activation) return true;
    const int chunk = pipeline_.placement.chunk_of(site.link->stage);
    return slot.tasks[chunk].ended;  // the forward's
}

}  // namespace rrfp
