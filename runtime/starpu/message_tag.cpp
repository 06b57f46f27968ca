#include "runtime/starpu/message_tag.h"

namespace rrfp {

const char* noun(Direction direction) {
    return direction == Direction::activation ? "activation" : "gradient";
}

std::int64_t message_tag(const MessageIdentity& message) {
    // Bits: 0-31 microbatch, 32-55 stage, 56 direction, 57 parity, 58 forward-only, 59 always set:
    // a program's own small tags stay apart. The sign bit stays clear.
    const auto bit = [](bool value, int position) { return std::uint64_t{value} << position; };
    const std::uint64_t tag = static_cast<std::uint32_t>(message.microbatch) |
                              (static_cast<std::uint64_t>(message.stage) & 0xFF'FFFF) << 32 |
                              bit(message.direction == Direction::gradient, 56) |
                              bit(message.iteration % 2 == 1, 57) | bit(message.forward_only, 58) |
                              bit(true, 59);
    return static_cast<std::int64_t>(tag);
}

}  // namespace rrfp
