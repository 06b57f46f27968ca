#include "runtime/starpu/messages/message_tag.h"

#include <stdexcept>

#include <fmt/format.h>

namespace rrfp {
namespace {

constexpr int most_stages = 1 << 24;

}  // namespace

const char* noun(Direction direction) {
    return direction == Direction::activation ? "activation" : "gradient";
}

std::int64_t message_tag(const MessageIdentity& message) {
    if (message.stage < 0 || message.stage >= most_stages || message.microbatch < 0) {
        throw std::out_of_range(
            fmt::format("no tag for a message of microbatch {} to stage {}: stages are numbered "
                        "from 0 and below {}, microbatches from 0",
                        message.microbatch, message.stage, most_stages));
    }
    // Bits: 0-31 microbatch, 32-55 stage, 56 direction, 57 parity, 58 forward-only, 59 always set:
    // a program's own small tags stay apart. The sign bit stays clear.
    const auto bit = [](bool value, int position) { return std::uint64_t{value} << position; };
    const std::uint64_t tag = static_cast<std::uint64_t>(message.microbatch) |
                              static_cast<std::uint64_t>(message.stage) << 32 |
                              bit(message.direction == Direction::gradient, 56) |
                              bit(message.iteration % 2 == 1, 57) | bit(message.forward_only, 58) |
                              bit(true, 59);
    return static_cast<std::int64_t>(tag);
}

}  // namespace rrfp
