#include "runtime/core/task.h"

namespace rrfp {

char letter(TaskKind kind) {
    constexpr char letters[task_kinds] = {'F', 'B', 'W'};
    return letters[static_cast<int>(kind)];
}

std::string to_action(const Task& task, bool split_weight) {
    const bool input_gradient_alone = split_weight && task.kind == TaskKind::backward;
    return std::to_string(task.stage) + (input_gradient_alone ? 'I' : letter(task.kind)) +
           std::to_string(task.microbatch);
}

}  // namespace rrfp

std::size_t std::hash<rrfp::Task>::operator()(const rrfp::Task& task) const noexcept {
    // Distinct tasks of any real pipeline differ before mixing: 2 bits of kind, 30 each of the
    // rest.
    const auto packed = static_cast<std::uint64_t>(task.kind) << 62 |
                        static_cast<std::uint64_t>(task.stage) << 31 |
                        static_cast<std::uint64_t>(task.microbatch);
    return std::hash<std::uint64_t>{}(packed * 0x9e3779b97f4a7c15U);
}
