// Guards: messages that may be under way at once have different tags, and the number of tags does
// not grow with the iterations.

#include "runtime/starpu/messages/message_tag.h"

#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

TEST(MessageTag, TellsApartWhatMayMeet) {
    std::set<std::int64_t> tags;
    std::size_t messages = 0;
    for (const std::uint64_t iteration : {6, 7}) {
        for (const Direction direction : {Direction::activation, Direction::gradient}) {
            for (const int stage : {0, 1, 2, 255, 256, 0xFF'FFFF}) {
                for (const int microbatch : {0, 1, 2, 4095, 4096, 0x7FFF'FFFF}) {
                    for (const bool forward_only : {false, true}) {
                        tags.insert(
                            message_tag({iteration, direction, stage, microbatch, forward_only}));
                        ++messages;
                    }
                }
            }
        }
    }
    EXPECT_EQ(tags.size(), messages);
    for (const std::int64_t tag : tags) EXPECT_GT(tag, 0);
}

TEST(MessageTag, RepeatsEverySecondIteration) {
    const MessageIdentity message{.iteration = 3, .stage = 2, .microbatch = 5};
    MessageIdentity later = message;
    later.iteration = 101;
    EXPECT_EQ(message_tag(message), message_tag(later));
}

TEST(MessageTag, RefusesNumbersThatWouldWrap) {
    EXPECT_THROW(message_tag({.stage = 1 << 24}), std::out_of_range);
    EXPECT_THROW(message_tag({.stage = -1}), std::out_of_range);
    EXPECT_THROW(message_tag({.microbatch = -1}), std::out_of_range);
}

}  // namespace
}  // namespace rrfp
