#include "runtime/starpu/agreement_options.h"

#include <stdexcept>

namespace rrfp {

AgreementProtocol elect(std::optional<AgreementProtocol> wanted, bool share_memory) {
    if (wanted == AgreementProtocol::board && !share_memory) {
        throw std::invalid_argument(
            "agreement = board needs all ranks of a group on one node, and this group spans "
            "several; "
            "choose allgather, or lay the ranks out so that a group stays on a node");
    }
    if (wanted) return *wanted;
    return share_memory ? AgreementProtocol::board : AgreementProtocol::allgather;
}

}  // namespace rrfp
