#include "runtime/core/plugin_loader.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "runtime/core/plugin_abi.h"
#include "runtime/core/plugin_arbiter.h"
#include "runtime/core/plugin_calls.h"
#include "runtime/core/shared_library.h"

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
    if (const auto fault = library_fault(file)) {
        refuse(path, *fault + "; give the path of a whole shared library");
    }
    PluginCall::tell_of_ends();
    const std::string whose = fmt::format("plugin '{}'", path);
    const PluginCall call(whose.c_str(), "its loading");
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
    // More than anybody writes by hand; an uninitialised number is nearly always greater.
    constexpr std::uint32_t most_arbiters = 10000;
    if (plugin->arbiter_count > most_arbiters ||
        (plugin->arbiter_count > 0 && plugin->arbiters == nullptr)) {
        refuse(path, fmt::format("says that it has {} arbiters{}; fill in `arbiters` and "
                                 "`arbiter_count`",
                                 plugin->arbiter_count,
                                 plugin->arbiters == nullptr ? " and has no list of them" : ""));
    }
    return *plugin;
}

/// What a writer of this interface's first version filled in at least; the rest may be null.
constexpr std::size_t least_size =
    offsetof(rrfp_plugin_arbiter, choose) + sizeof(rrfp_plugin_arbiter::choose);

/// The members that the plugin's writer knew; those appended to the structure since are null.
rrfp_plugin_arbiter known_members(const rrfp_plugin_arbiter& arbiter) {
    rrfp_plugin_arbiter known{};
    std::memcpy(&known, &arbiter, std::min<std::size_t>(arbiter.size, sizeof known));
    return known;
}

void check(const std::string& path, const rrfp_plugin_arbiter* arbiter,
           const std::vector<ArbiterEntry>& earlier) {
    if (arbiter == nullptr || arbiter->size < least_size || arbiter->name == nullptr ||
        *arbiter->name == '\0') {
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
                                [known = known_members(*arbiter), path](const ArbiterSetup& setup) {
                                    return make_plugin_arbiter(known, path, setup);
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
