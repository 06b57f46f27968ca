#include "runtime/simulation/bounds/microbatch_paths.h"

#include <algorithm>

namespace rrfp {
namespace {

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

}  // namespace

MicrobatchPaths::MicrobatchPaths(const Pipeline& pipeline, const Durations& durations)
    : pipeline_(pipeline),
      durations_(durations),
      stages_(pipeline.placement.stages()),
      heads_(static_cast<std::size_t>(task_kinds) * stages_),
      tails_(heads_.size()) {}

void MicrobatchPaths::follow(int microbatch) {
    microbatch_ = microbatch;
    follow_heads();
    follow_tails();
    longest_ = 0;
    for (int kind = 0; kind < pipeline_.kinds(); ++kind) {
        for (int stage = 0; stage < stages_; ++stage) {
            const auto direction = static_cast<TaskKind>(kind);
            longest_ = std::max(longest_, head(direction, stage) + task_ms(direction, stage));
        }
    }
}

double MicrobatchPaths::round_trip_ms(int stage) const {
    const TaskKind release = pipeline_.release_kind();
    return head_ms(release, stage) + task_ms(release, stage) - head_ms(F, stage);
}

double MicrobatchPaths::task_ms(TaskKind kind, int stage) const {
    return durations_.task_ms({kind, stage, microbatch_});
}

double MicrobatchPaths::message_ms(TaskKind kind, int stage) const {
    const Task producer{kind, stage, microbatch_};
    return pipeline_.sends_message(producer) ? durations_.message_ms(producer) : 0;
}

void MicrobatchPaths::follow_heads() {
    head(F, 0) = 0;
    for (int stage = 1; stage < stages_; ++stage) {
        head(F, stage) = head(F, stage - 1) + task_ms(F, stage - 1) + message_ms(F, stage - 1);
    }
    // The way down passes through every stage that the way up will pass, so it decides.
    head(B, stages_ - 1) = head(F, stages_ - 1) + task_ms(F, stages_ - 1);
    for (int stage = stages_ - 2; stage >= 0; --stage) {
        head(B, stage) = head(B, stage + 1) + task_ms(B, stage + 1) + message_ms(B, stage + 1);
    }
    for (int stage = 0; stage < stages_; ++stage) {
        head(W, stage) = head(B, stage) + task_ms(B, stage);
    }
}

void MicrobatchPaths::follow_tails() {
    const bool backwards = !pipeline_.forward_only;
    for (int stage = 0; stage < stages_; ++stage) {
        tail(W, stage) = 0;
        tail(B, stage) = pipeline_.split_weight ? task_ms(W, stage) : 0;
        if (stage > 0) {
            tail(B, stage) = std::max(
                tail(B, stage), message_ms(B, stage) + task_ms(B, stage - 1) + tail(B, stage - 1));
        }
    }
    tail(F, stages_ - 1) = backwards ? task_ms(B, stages_ - 1) + tail(B, stages_ - 1) : 0;
    for (int stage = stages_ - 2; stage >= 0; --stage) {
        tail(F, stage) = message_ms(F, stage) + task_ms(F, stage + 1) + tail(F, stage + 1);
    }
}

}  // namespace rrfp
