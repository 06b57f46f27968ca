// A stranger's program: it sees the installed headers and libraries, and nothing else.

#include <cstdio>

#include "runtime/core/arbiters/registry.h"
#include "runtime/core/plugin_loader.h"
#include "runtime/core/version.h"

int main() {
    std::printf("rrfp %.*s knows", static_cast<int>(rrfp::version.size()), rrfp::version.data());
    for (const rrfp::ArbiterEntry& entry : rrfp::arbiter_registry()) std::printf(" %s", entry.name);
    const auto plugin = rrfp::ArbiterPlugin::load(OWN_PLUGIN);
    for (const rrfp::ArbiterEntry& entry : plugin->arbiters()) std::printf(" %s", entry.name);
    std::printf("\n");
    return rrfp::find_arbiter("bf") != nullptr && plugin->find("eager") != nullptr ? 0 : 1;
}
