#include "runtime/starpu/transport.h"

#include <starpu_mpi.h>
#include <utility>

#include "runtime/starpu/starpu_call.h"

namespace rrfp {
namespace {

void sent(void* argument) {
    auto& site = *static_cast<LinkSite*>(argument);
    site.events->sent(site);
}

}  // namespace

Transport::Transport(bool forward_only, std::vector<int> world_ranks)
    : forward_only_(forward_only), world_ranks_(std::move(world_ranks)) {}

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
    timer_.after(delay_ms, [this, &site, iteration] { send(site, iteration); });
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
