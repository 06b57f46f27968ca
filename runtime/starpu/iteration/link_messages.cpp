#include "runtime/starpu/iteration/link_messages.h"

#include <utility>

namespace rrfp {
namespace {

void sent(void* argument) {
    auto& site = *static_cast<LinkSite*>(argument);
    site.events->sent(site);
}

SentCallback tell_of(LinkSite& site) { return {.call = sent, .argument = &site}; }

}  // namespace

int world_rank_of(int rank, const std::vector<int>& world_ranks) {
    return world_ranks.empty() ? rank : world_ranks.at(static_cast<std::size_t>(rank));
}

LinkMessages::LinkMessages(int rank, bool forward_only, std::vector<int> world_ranks)
    : forward_only_(forward_only), world_ranks_(std::move(world_ranks)), transport_(rank) {}

void LinkMessages::receive(LinkSite& site, std::uint64_t iteration) {
    transport_.receive(message(site, *site.link->receive_from, iteration));
}

void LinkMessages::send(LinkSite& site, std::uint64_t iteration) {
    transport_.send(message(site, *site.link->send_to, iteration), tell_of(site));
}

void LinkMessages::send_later(LinkSite& site, std::uint64_t iteration, double delay_ms) {
    transport_.send_later(message(site, *site.link->send_to, iteration), tell_of(site), delay_ms);
}

Message LinkMessages::message(const LinkSite& site, int peer, std::uint64_t iteration) const {
    return {.handle = site.handle.get(),
            .identity = {.iteration = iteration,
                         .direction = site.link->direction,
                         .stage = site.link->stage,
                         .microbatch = site.slot->microbatch,
                         .forward_only = forward_only_},
            .peer = world_rank(peer)};
}

}  // namespace rrfp
