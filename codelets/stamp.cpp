#include "codelets/stamp.h"

#include <array>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

namespace rrfp {
namespace {

using Words = std::array<std::uint32_t, 4>;
static_assert(sizeof(Words) == stamp_bytes);

Words words_of(const TaskContext& context) {
    return {static_cast<std::uint32_t>(context.iteration),
            static_cast<std::uint32_t>(context.task.stage),
            static_cast<std::uint32_t>(context.task.microbatch),
            static_cast<std::uint32_t>(context.task.kind)};
}

std::string describe(const Words& words) {
    if (words[3] >= task_kinds) {
        return "bytes that are no stamp";
    }
    const Task task{static_cast<TaskKind>(words[3]), static_cast<int>(words[1]),
                    static_cast<int>(words[2])};
    return fmt::format("the result of {} in iteration {}", to_action(task), words[0]);
}

}  // namespace

void write_stamp(const Tensor& tensor, const TaskContext& context) {
    if (tensor.bytes() >= stamp_bytes) {
        const Words words = words_of(context);
        std::memcpy(tensor.data(), words.data(), stamp_bytes);
    }
}

void check_stamp(const Tensor& tensor, const TaskContext& expected, const TaskContext& reader) {
    if (tensor.bytes() < stamp_bytes) {
        return;
    }
    Words found;
    std::memcpy(found.data(), tensor.data(), stamp_bytes);
    const Words wanted = words_of(expected);
    if (found != wanted) {
        throw std::runtime_error(fmt::format(
            "{} in iteration {} received {} in place of {}: a message went astray",
            to_action(reader.task), reader.iteration, describe(found), describe(wanted)));
    }
}

}  // namespace rrfp
