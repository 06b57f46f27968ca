// Invariant: a message that cannot be sent once its delay is over ends the job with a text that
// names it, instead of leaving its receiver to wait or the process to a bare terminate.
#include "runtime/starpu/messages/transport.h"

#include <unistd.h>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

/// Sends under an identity that no tag can hold.
[[noreturn]] void send_into_the_void() {
    Transport transport(3);
    const Message message{.identity = {.stage = 1 << 24, .microbatch = 7}};
    transport.send_later(message, {}, 0);
    for (;;) pause();  // the timer's thread ends the process
}

TEST(TransportDeathTest, ADelayedMessageThatCannotBeSentEndsTheJob) {
    EXPECT_EXIT(send_into_the_void(), ::testing::ExitedWithCode(1),
                "rank 3 could not send the activation of microbatch 7 to stage 16777216");
}

}  // namespace
}  // namespace rrfp
