#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace rrfp {

/// What a task computes for one microbatch on one stage.
///
/// Where the backward is not split, `backward` computes input and weight gradients at once. Where
/// it is split, `backward` computes the input gradient and `weight_gradient` the rest.
enum class TaskKind : std::uint8_t { forward, backward, weight_gradient };

inline constexpr int task_kinds = 3;

/// One unit of work: (kind, stage, microbatch). `stage` counts over the whole model, 0..S-1;
/// `microbatch` counts within the iteration, 0..M-1.
struct Task {
    TaskKind kind = TaskKind::forward;
    int stage = 0;
    int microbatch = 0;

    friend auto operator<=>(const Task&, const Task&) = default;
};

/// The letter of a kind: F, B or W.
char letter(TaskKind kind);

/// The task as an action of a schedule table, stage first: `2F0` is the forward of microbatch 0 on
/// stage 2. With `split_weight` a backward is the input gradient alone and prints as `I`.
std::string to_action(const Task& task, bool split_weight = false);

}  // namespace rrfp

template <>
struct std::hash<rrfp::Task> {
    std::size_t operator()(const rrfp::Task& task) const noexcept;
};
