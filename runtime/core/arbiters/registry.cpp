#include "runtime/core/arbiters/registry.h"

namespace rrfp {

const std::vector<ArbiterEntry>& arbiter_registry() {
    static const std::vector<ArbiterEntry> entries = {
        {"bf", false, make_bf},
        {"fb", false, make_fb},
        {"b-priority", false, make_b_priority},
        {"f-priority", false, make_f_priority},
        {"order", true, make_order},
        {"fixed", true, make_fixed},
    };
    return entries;
}

const ArbiterEntry* find_arbiter(const std::string& name) {
    for (const ArbiterEntry& entry : arbiter_registry()) {
        if (name == entry.name) {
            return &entry;
        }
    }
    return nullptr;
}

}  // namespace rrfp
