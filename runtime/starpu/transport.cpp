#include "runtime/starpu/transport.h"

#include <exception>
#include <starpu_mpi.h>
#include <utility>

#include <fmt/format.h>

#include "runtime/starpu/end_job.h"
#include "runtime/starpu/failure.h"
#include "runtime/starpu/starpu_call.h"

namespace rrfp {
namespace {

void sent(void* argument) {
    auto& site = *static_cast<LinkSite*>(argument);
    site.events->sent(site);
}

}  // namespace

Transport::Transport(int rank, bool forward_only, std::vector<int> world_ranks)
    : rank_(rank), forward_only_(forward_only), world_ranks_(std::move(world_ranks)) {}

void Transport::receive(LinkSite& site, std::uint64_t iteration) {
    // No callback: the handle tells of the arrival earlier, before its readers become ready.
    check_starpu(starpu_mpi_irecv_detached(site.handle.get(), world_rank(*site.link->receive_from),
                                           tag(site, iteration), MPI_COMM_WORLD, nullptr, nullptr),
                 "starpu_mpi_irecv_detached");
}

void Transport::send(LinkSite& site, std::uint64_t iteration) {
    check_starpu(starpu_mpi_isend_detached(site.handle.get(), world_rank(*site.link->send_to),
                                           tag(site, iteration), MPI_COMM_WORLD, sent, &site),
                 "starpu_mpi_isend_detached");
}

void Transport::send_later(LinkSite& site, std::uint64_t iteration, double delay_ms) {
    timer_.after(delay_ms, [this, &site, iteration] { send_or_end_job(site, iteration); });
}

void Transport::send_or_end_job(LinkSite& site, std::uint64_t iteration) {
    constexpr int failed = 1;
    try {
        send(site, iteration);
    } catch (...) {
        end_job(
            failed,
            fmt::format("rrfp: rank {} could not send the {} of microbatch {} to stage {} "
                        "(pipeline rank {}) after its delay: {}",
                        rank_, noun(site.link->direction), site.slot->microbatch, site.link->stage,
                        *site.link->send_to, text_of(std::current_exception())));
    }
}

std::int64_t Transport::tag(const LinkSite& site, std::uint64_t iteration) const {
    return message_tag({.iteration = iteration,
                        .direction = site.link->direction,
                        .stage = site.link->stage,
                        .microbatch = site.slot->microbatch,
                        .forward_only = forward_only_});
}

int Transport::world_rank(int rank) const {
    return world_ranks_.empty() ? rank : world_ranks_.at(static_cast<std::size_t>(rank));
}

}  // namespace rrfp
