// Invariant: a message that cannot be sent once its delay is over ends the job with a text that
// names it, instead of leaving its receiver to wait or the process to a bare terminate.
#include "runtime/starpu/transport.h"

#include <algorithm>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/starpu/starpu_session_for_tests.h"

namespace rrfp {
namespace {

class NoEvents final : public SlotEvents {
    void execute(TaskSite& /*site*/) override {}
    void task_ended(TaskSite& /*site*/) override {}
    void arrived(LinkSite& /*site*/, std::exception_ptr /*error*/) override {}
    void sent(LinkSite& /*site*/) override {}
};

/// Sends to a pipeline rank that nobody has given a place in the world.
[[noreturn]] void send_into_the_void() {
    const testing::PlainStarpu starpu(1, nullptr);
    const Pipeline pipeline{.placement = Placement::loop(2), .microbatches = 8};
    const RankLinks links(pipeline, 0);
    NoEvents events;
    MicrobatchSlot slot(pipeline, 0, links, events);
    slot.microbatch = 7;
    Transport transport(3, false, {3});
    const auto sends = [](const LinkSite& site) { return site.link->send_to.has_value(); };
    transport.send_later(*std::ranges::find_if(slot.links, sends), 0, 0);
    for (;;) pause();  // the timer's thread ends the process
}

TEST(TransportDeathTest, ADelayedMessageThatCannotBeSentEndsTheJob) {
    EXPECT_EXIT(send_into_the_void(), ::testing::ExitedWithCode(1),
                "rank 3 could not send the activation of microbatch 7 to stage 1");
}

}  // namespace
}  // namespace rrfp
