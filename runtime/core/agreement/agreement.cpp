#include "runtime/core/agreement/agreement.h"

namespace rrfp {

const char* name(AgreementProtocol protocol) {
    return protocol == AgreementProtocol::board ? "board" : "allgather";
}

}  // namespace rrfp
