#pragma once

#include <memory>
#include <string>

#include "runtime/core/arbiters/registry.h"
#include "runtime/core/plugin_abi.h"

namespace rrfp {

/// An arbiter of the plugin at `path` behind the interface of the library's own. `table` outlives
/// it. Errors that the plugin reports are std::runtime_error with its path, the arbiter's name and
/// the plugin's text.
std::unique_ptr<Arbiter> make_plugin_arbiter(const rrfp_plugin_arbiter& table,
                                             const std::string& path, const ArbiterSetup& setup);

}  // namespace rrfp
