#include "runtime/core/agreement/agreement_options.h"

#include <stdexcept>

namespace rrfp {

AgreementProtocol elect(const AgreementOptions& options, bool share_memory) {
    if (options.protocol == AgreementProtocol::board && !share_memory) {
        throw std::invalid_argument(
            "agreement = board needs all ranks of a group on one node, and this group spans "
            "several; "
            "choose allgather, or lay the ranks out so that a group stays on a node");
    }
    const auto elected = share_memory ? AgreementProtocol::board : AgreementProtocol::allgather;
    const AgreementProtocol protocol = options.protocol.value_or(elected);
    if (protocol == AgreementProtocol::allgather && options.local_choice) {
        throw std::invalid_argument(
            "agreement = allgather lets every rank choose, and this arbiter's choice is its rank's "
            "own (learnt durations, a plugin that does not promise otherwise): the ranks would not "
            "agree. Choose board, where one rank decides, or another arbiter");
    }
    return protocol;
}

}  // namespace rrfp
