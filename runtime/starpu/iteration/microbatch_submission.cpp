#include "runtime/starpu/iteration/microbatch_submission.h"

#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "runtime/starpu/calls/starpu_call.h"
#include "runtime/starpu/messages/delay_timer.h"

namespace rrfp {
namespace {

void execute(void* /*buffers*/[], void* argument) {
    auto& site = *static_cast<TaskSite*>(argument);
    site.events->execute(site);
}

void ended(void* argument) {
    auto& site = *static_cast<TaskSite*>(argument);
    site.events->task_ended(site);
}

starpu_codelet* codelet(TaskKind kind) {
    static std::array<starpu_codelet, task_kinds> codelets = [] {
        std::array<starpu_codelet, task_kinds> made{};
        constexpr std::array names = {"F", "B", "W"};
        for (std::size_t i = 0; i < made.size(); ++i) {
            starpu_codelet_init(&made[i]);
            made[i].cpu_funcs[0] = execute;
            made[i].nbuffers = STARPU_VARIABLE_NBUFFERS;
            made[i].name = names[i];
        }
        return made;
    }();
    return &codelets[static_cast<std::size_t>(kind)];
}

void access(starpu_task* task, LinkSite& site, starpu_data_access_mode mode) {
    task->handles[task->nbuffers] = site.handle.get();
    task->modes[task->nbuffers] = mode;
    ++task->nbuffers;
}

}  // namespace

MicrobatchSubmission::MicrobatchSubmission(const Pipeline& pipeline, LinkMessages& messages,
                                           const TaskAppearance& appearance, ChunkEnds& chunk_ends,
                                           MessageDelay delay)
    : pipeline_(pipeline),
      messages_(messages),
      appearance_(appearance),
      chunk_ends_(chunk_ends),
      delay_(std::move(delay)) {}

void MicrobatchSubmission::set_delays(MicrobatchSlot& slot, std::uint64_t iteration) const {
    for (TaskSite& site : slot.tasks) site.delay_ms = 0;
    for (TaskSite& site : slot.tasks) site.delay_ms = delay(site, iteration);
}

void MicrobatchSubmission::submit(MicrobatchSlot& slot, std::uint64_t iteration) {
    for (int chunk = 0; chunk < slot.chunks; ++chunk) submit_forward(slot, chunk, iteration);
    if (pipeline_.forward_only) return;
    for (int chunk = slot.chunks; chunk-- > 0;) submit_backward(slot, chunk, iteration);
}

void MicrobatchSubmission::submit_forward(MicrobatchSlot& slot, int chunk,
                                          std::uint64_t iteration) {
    TaskSite& site = slot.task(TaskKind::forward, chunk);
    receive(slot, site.links.input, iteration);
    submit(make(site));
    send(site, iteration);
}

void MicrobatchSubmission::submit_backward(MicrobatchSlot& slot, int chunk,
                                           std::uint64_t iteration) {
    TaskSite& site = slot.task(TaskKind::backward, chunk);
    receive(slot, site.links.gradient, iteration);
    starpu_task* backward = make(site);
    if (!pipeline_.split_weight) {
        chunk_ends_.follow(chunk, backward);
        submit(backward);
    } else {
        // Both only read the stage's data, so their order is stated; before the backward may end.
        starpu_task* weight_gradient = make(slot.task(TaskKind::weight_gradient, chunk));
        starpu_task_declare_deps_array(weight_gradient, 1, &backward);
        chunk_ends_.follow(chunk, weight_gradient);
        submit(backward);
        submit(weight_gradient);
    }
    send(site, iteration);
}

void MicrobatchSubmission::receive(MicrobatchSlot& slot, int link, std::uint64_t iteration) {
    if (link >= 0 && slot.links[link].link->receive_from) {
        messages_.receive(slot.links[link], iteration);
    }
}

void MicrobatchSubmission::send(TaskSite& site, std::uint64_t iteration) {
    if (site.links.output < 0) return;
    LinkSite& output = site.slot->links[site.links.output];
    // A delayed message is sent when the task has ended.
    if (output.link->send_to && site.delay_ms <= 0) messages_.send(output, iteration);
}

starpu_task* MicrobatchSubmission::make(TaskSite& site) const {
    starpu_task* task = starpu_task_create();
    task->cl = codelet(site.label.task.kind);
    task->cl_arg = &site;
    task->sched_data = &site.label;
    task->callback_func = ended;
    task->callback_arg = &site;
    task->name = appearance_.name(site.label.task);
    task->color = appearance_.color(site.label.task);
    auto& links = site.slot->links;
    task->nbuffers = 0;
    if (site.links.input >= 0) access(task, links[site.links.input], STARPU_R);
    if (site.links.gradient >= 0) access(task, links[site.links.gradient], STARPU_R);
    if (site.links.output >= 0) access(task, links[site.links.output], STARPU_W);
    return task;
}

double MicrobatchSubmission::delay(const TaskSite& site, std::uint64_t iteration) const {
    const bool sends = site.links.output >= 0 && site.slot->links[site.links.output].link->send_to;
    if (!sends || !delay_) return 0;
    const Task& task = site.label.task;
    const double ms = delay_(iteration, task);
    if (ms >= 0 && ms <= DelayTimer::longest_ms) return ms;
    throw std::invalid_argument(fmt::format(
        "the delay of the message of {} in iteration {} is {} ms; give 0 to {} ms",
        to_action(task, pipeline_.split_weight), iteration, ms, DelayTimer::longest_ms));
}

void MicrobatchSubmission::submit(starpu_task* task) const {
    check_starpu(starpu_task_submit(task), "starpu_task_submit",
                 "A pipeline needs a CPU worker in StarPU's initial context");
}

}  // namespace rrfp
