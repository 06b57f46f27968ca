#include "runtime/core/filter.h"

#include <algorithm>

namespace rrfp {

Admission::Admission(const RankState& state)
    : chunks_(state.chunks()), microbatches_(state.pipeline().microbatches) {
    reset();
}

void Admission::reset() {
    ends_.assign(static_cast<std::size_t>(task_kinds) * chunks_, microbatches_);
    only_.reset();
}

void Admission::limit(TaskKind kind, int chunk, int end) {
    int& bound = ends_[static_cast<std::size_t>(kind) * chunks_ + chunk];
    bound = std::min(bound, end);
}

void Admission::forbid(TaskKind kind) {
    for (int chunk = 0; chunk < chunks_; ++chunk) {
        limit(kind, chunk, 0);
    }
}

int Admission::end(TaskKind kind, int chunk) const {
    return ends_[static_cast<std::size_t>(kind) * chunks_ + chunk];
}

std::optional<int> Candidates::first(TaskKind kind, int chunk) const {
    const auto& only = admission_.only();
    if (only && kind != TaskKind::weight_gradient) {
        const bool wanted = only->kind == kind && state_.chunk_of(*only) == chunk;
        return wanted && contains(*only) ? std::optional(only->microbatch) : std::nullopt;
    }
    return state_.ready().first(kind, chunk, admission_.end(kind, chunk));
}

bool Candidates::contains(const Task& task) const {
    if (!state_.is_local(task) || !state_.is_ready(task)) {
        return false;
    }
    const auto& only = admission_.only();
    return task.microbatch < admission_.end(task.kind, state_.chunk_of(task)) &&
           (!only || task == *only || task.kind == TaskKind::weight_gradient);
}

std::optional<Task> Candidates::first_forward() const {
    return lowest_microbatch(TaskKind::forward);
}

std::optional<Task> Candidates::first_backward() const {
    for (int chunk = state_.chunks() - 1; chunk >= 0; --chunk) {
        if (const auto microbatch = first(TaskKind::backward, chunk)) {
            return state_.task(TaskKind::backward, chunk, *microbatch);
        }
    }
    return std::nullopt;
}

std::optional<Task> Candidates::first_weight_gradient() const {
    return lowest_microbatch(TaskKind::weight_gradient);
}

std::optional<Task> Candidates::lowest_microbatch(TaskKind kind) const {
    std::optional<Task> best;
    for (int chunk = 0; chunk < state_.chunks(); ++chunk) {
        const auto microbatch = first(kind, chunk);
        if (microbatch && (!best || *microbatch < best->microbatch)) {
            best = state_.task(kind, chunk, *microbatch);
        }
    }
    return best;
}

}  // namespace rrfp
