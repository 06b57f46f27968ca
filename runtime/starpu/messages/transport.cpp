#include "runtime/starpu/messages/transport.h"

#include <exception>
#include <starpu_mpi.h>

#include <fmt/format.h>

#include "runtime/starpu/calls/starpu_call.h"
#include "runtime/starpu/failing/end_job.h"
#include "runtime/starpu/failing/failure.h"

namespace rrfp {

void Transport::receive(const Message& message) {
    check_starpu(
        starpu_mpi_irecv_detached(message.handle, message.peer, message_tag(message.identity),
                                  MPI_COMM_WORLD, nullptr, nullptr),
        "starpu_mpi_irecv_detached");
}

void Transport::send(const Message& message, SentCallback sent) {
    check_starpu(
        starpu_mpi_isend_detached(message.handle, message.peer, message_tag(message.identity),
                                  MPI_COMM_WORLD, sent.call, sent.argument),
        "starpu_mpi_isend_detached");
}

void Transport::send_later(const Message& message, SentCallback sent, double delay_ms) {
    timer_.after(delay_ms, [this, message, sent] { send_or_end_job(message, sent); });
}

void Transport::send_or_end_job(const Message& message, SentCallback sent) {
    constexpr int failed = 1;
    try {
        send(message, sent);
    } catch (...) {
        end_job(
            failed,
            fmt::format("rrfp: rank {} could not send the {} of microbatch {} to stage {} "
                        "(rank {}) after its delay: {}",
                        rank_, noun(message.identity.direction), message.identity.microbatch,
                        message.identity.stage, message.peer, text_of(std::current_exception())));
    }
}

}  // namespace rrfp
