#include "runtime/core/dispatcher.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace rrfp {

Dispatcher::Dispatcher(const Pipeline& pipeline, int rank, std::unique_ptr<Arbiter> arbiter,
                       std::vector<std::unique_ptr<Filter>> filters)
    : state_(pipeline, rank),
      admission_(state_),
      arbiter_(std::move(arbiter)),
      filters_(std::move(filters)) {}

void Dispatcher::begin_iteration() {
    state_.begin_iteration();
    arbiter_->begin_iteration();
}

void Dispatcher::ready(const Task& task) {
    state_.mark_ready(task);
    arbiter_->ready(task);
}

std::optional<Task> Dispatcher::choose() {
    const std::optional<Task> choice = propose();
    if (choice) {
        commit(*choice);
    } else {
        wait();
    }
    return choice;
}

std::optional<Task> Dispatcher::propose() {
    // A pop that finds nothing is the common call while a rank waits.
    if (state_.ready().size() == 0) {
        return std::nullopt;
    }
    apply_filters();
    const Candidates candidates(state_, admission_);
    const std::optional<Task> choice = arbiter_->choose(candidates);
    if (choice && !candidates.contains(*choice)) {
        throw std::logic_error(fmt::format(
            "rank {}: arbiter '{}' chose {}, which is {}; it must return one of the candidates",
            state_.rank(), arbiter_->name(), to_action(*choice), why_not(*choice)));
    }
    if (!choice && !arbiter_->ranks_weight_gradients()) {
        return candidates.first_weight_gradient();
    }
    return choice;
}

std::optional<Task> Dispatcher::propose_after(const Task& running) {
    const RankState::Foresight foresight(state_, running);
    return propose();
}

void Dispatcher::commit(const Task& task) {
    state_.mark_dispatched(task);
    arbiter_->dispatched(task);
}

bool Dispatcher::admits(const Task& task) {
    apply_filters();
    return Candidates(state_, admission_).contains(task);
}

void Dispatcher::completed(const Task& task, double milliseconds) {
    state_.mark_completed(task);
    arbiter_->completed(task, milliseconds);
}

void Dispatcher::apply_filters() {
    admission_.reset();
    if (arbiter_->filtered()) {
        for (const auto& filter : filters_) {
            filter->restrict(state_, admission_);
        }
    }
}

const char* Dispatcher::why_not(const Task& task) const {
    if (!state_.is_local(task)) {
        return "no task of this rank in this iteration";
    }
    if (state_.is_dispatched(task)) {
        return "dispatched already";
    }
    return state_.is_ready(task) ? "held back by a filter" : "not ready";
}

}  // namespace rrfp
