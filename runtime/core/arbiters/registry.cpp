#include "runtime/core/arbiters/registry.h"

namespace rrfp {

const std::vector<ArbiterEntry>& arbiter_registry() {
    static const std::vector<ArbiterEntry> entries = {
        {.name = "bf", .make = make_bf},
        {.name = "fb", .make = make_fb},
        {.name = "b-priority", .make = make_b_priority},
        {.name = "f-priority", .make = make_f_priority},
        {.name = "bfw", .make = make_bfw},
        {.name = "tide", .needs_hint = true, .make = make_tide},
        {.name = "tide-w", .needs_hint = true, .make = make_tide_w, .needs_split = true},
        {.name = "critical-path", .make = make_critical_path, .local = true},
        {.name = "order", .needs_hint = true, .make = make_order},
        {.name = "fixed", .needs_hint = true, .make = make_fixed},
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
