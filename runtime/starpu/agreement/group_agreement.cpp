#include "runtime/starpu/agreement/group_agreement.h"

#include <utility>

#include "runtime/starpu/agreement/agreement_allgather.h"
#include "runtime/starpu/agreement/agreement_board.h"

namespace rrfp {

std::unique_ptr<GroupAgreement> make_group_agreement(const AgreementOptions& options,
                                                     Dispatcher& dispatcher) {
    if (options.members.size() < 2) return nullptr;
    auto group = std::make_unique<MemberGroup>(options.members, options.apart);
    if (elect(options, group->share_memory()) == AgreementProtocol::board) {
        return std::make_unique<AgreementBoard>(std::move(group), dispatcher);
    }
    return std::make_unique<AgreementAllgather>(std::move(group), dispatcher);
}

}  // namespace rrfp
