#pragma once

#include <cstdint>

namespace rrfp {

/// What a message carries: the result of a forward to the next stage, or that of a backward to the
/// previous one.
enum class Direction : std::uint8_t { activation, gradient };

/// "activation" or "gradient", for messages to people.
const char* noun(Direction direction);

/// Identifies a message among all that may be under way at once. `stage` is the stage that reads
/// it.
struct MessageIdentity {
    std::uint64_t iteration = 0;
    Direction direction = Direction::activation;
    int stage = 0;
    int microbatch = 0;
    /// Of a forward-only iteration, whose numbers may coincide with those of training.
    bool forward_only = false;
};

/// The StarPU-MPI tag of a message.
///
/// Tags repeat every second iteration, because StarPU-MPI keeps about 121 bytes for every tag it
/// has seen until shutdown. That is enough: with a backward no rank starts iteration i + 2 before
/// every peer has received all of iteration i. Without one a sender may run further ahead; two
/// messages of one tag then arrive in the order in which all ranks run their iterations.
///
/// Throws std::out_of_range for a stage of 2^24 or more and for negative numbers: a tag that wraps
/// would be another message's.
std::int64_t message_tag(const MessageIdentity& message);

}  // namespace rrfp
