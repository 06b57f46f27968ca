#include "runtime/core/plugin_loader.h"

#include <dlfcn.h>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "runtime/core/plugin_abi.h"
#include "runtime/core/plugin_arbiter.h"

namespace rrfp {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& problem) {
    throw std::invalid_argument(fmt::format("plugin '{}': {}", path, problem));
}

std::string loaders_reason() {
    const char* reason = dlerror();
    return reason != nullptr ? reason : "the loader gives no reason";
}

const rrfp_plugin& open(const std::string& path) {
    // A name without a slash would be searched for in the system's folders.
    const std::string file = std::filesystem::absolute(path).string();
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        refuse(path, fmt::format("cannot be loaded: {}; give the path of a shared library that "
                                 "links all it uses",
                                 loaders_reason()));
    }
    void* symbol = dlsym(library, "rrfp_plugin_entry");
    if (symbol == nullptr) {
        refuse(path, fmt::format("is no plugin: {}; end its source with RRFP_PLUGIN(...) of "
                                 "\"runtime/core/plugin.h\"",
                                 loaders_reason()));
    }
    const rrfp_plugin* plugin = reinterpret_cast<decltype(&rrfp_plugin_entry)>(symbol)();
    if (plugin == nullptr) {
        refuse(path, "its rrfp_plugin_entry returns nothing; it must return the plugin's table");
    }
    if (plugin->abi != RRFP_PLUGIN_ABI) {
        refuse(path, fmt::format("was built for plugin ABI {}, and this rrfp has {}; build it "
                                 "against this rrfp's \"runtime/core/plugin.h\"",
                                 plugin->abi, RRFP_PLUGIN_ABI));
    }
    return *plugin;
}

void check(const std::string& path, const rrfp_plugin_arbiter* arbiter,
           const std::vector<ArbiterEntry>& earlier) {
    if (arbiter == nullptr || arbiter->size < sizeof(rrfp_plugin_arbiter) ||
        arbiter->name == nullptr || *arbiter->name == '\0') {
        refuse(path, fmt::format("its arbiter {} has no name or is too small a structure; fill in "
                                 "`size` and `name`",
                                 earlier.size()));
    }
    if (arbiter->create == nullptr || arbiter->destroy == nullptr || arbiter->choose == nullptr) {
        refuse(path, fmt::format("its arbiter '{}' lacks create, destroy or choose; fill them in",
                                 arbiter->name));
    }
    bool taken = find_arbiter(arbiter->name) != nullptr;
    for (const ArbiterEntry& entry : earlier) {
        taken = taken || std::string_view(entry.name) == arbiter->name;
    }
    if (taken) {
        refuse(path,
               fmt::format("the name of its arbiter '{}' is taken; choose another", arbiter->name));
    }
}

}  // namespace

ArbiterPlugin::ArbiterPlugin(std::string path, std::vector<ArbiterEntry> arbiters)
    : path_(std::move(path)), arbiters_(std::move(arbiters)) {}

std::shared_ptr<const ArbiterPlugin> ArbiterPlugin::load(const std::string& path) {
    const rrfp_plugin& plugin = open(path);
    std::vector<ArbiterEntry> arbiters;
    for (std::uint32_t index = 0; index < plugin.arbiter_count; ++index) {
        const rrfp_plugin_arbiter* arbiter = plugin.arbiters[index];
        check(path, arbiter, arbiters);
        arbiters.push_back({.name = arbiter->name,
                            .needs_hint = (arbiter->flags & RRFP_ARBITER_NEEDS_HINT) != 0,
                            .make =
                                [arbiter, path](const ArbiterSetup& setup) {
                                    return make_plugin_arbiter(*arbiter, path, setup);
                                },
                            .local = (arbiter->flags & RRFP_ARBITER_AGREES) == 0});
    }
    if (arbiters.empty()) {
        refuse(path, "registers no arbiter; name at least one in RRFP_PLUGIN(...)");
    }
    return std::shared_ptr<const ArbiterPlugin>(new ArbiterPlugin(path, std::move(arbiters)));
}

const ArbiterEntry* ArbiterPlugin::find(const std::string& name) const {
    for (const ArbiterEntry& entry : arbiters_) {
        if (name == entry.name) {
            return &entry;
        }
    }
    return nullptr;
}

}  // namespace rrfp
