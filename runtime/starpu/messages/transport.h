#pragma once

#include <cstdint>
#include <starpu.h>

#include "runtime/starpu/messages/delay_timer.h"
#include "runtime/starpu/messages/message_tag.h"

namespace rrfp {

/// A message as both of its ends know it.
struct Message {
    starpu_data_handle_t handle = nullptr;  ///< of the parcel that travels
    MessageIdentity identity;
    int peer = 0;  ///< the other rank, in MPI_COMM_WORLD
};

/// Called on StarPU-MPI's thread when a message has been sent.
struct SentCallback {
    void (*call)(void* argument) = nullptr;
    void* argument = nullptr;
};

/// Moves parcels between ranks with StarPU-MPI, matched by tag. It never waits.
class Transport {
  public:
    /// `rank` is this process's in MPI_COMM_WORLD.
    explicit Transport(int rank) : rank_(rank) {}

    /// Posts a receive. Ordered by StarPU after earlier users of its handle, which tells of the
    /// arrival itself, before its readers become ready.
    void receive(const Message& message);
    /// Hands the send to StarPU, which posts it as soon as the submitted writer of the handle ends.
    void send(const Message& message, SentCallback sent);
    /// The same, `delay_ms` from now, by a timer's thread. The writer must have ended, and nothing
    /// may write the handle again before the send has ended. A message that then cannot be sent
    /// ends the job, since nobody could be told: its receiver would wait for ever.
    void send_later(const Message& message, SentCallback sent, double delay_ms);

  private:
    void send_or_end_job(const Message& message, SentCallback sent);

    int rank_;
    DelayTimer timer_;
};

}  // namespace rrfp
