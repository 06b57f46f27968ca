#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "adapters/plan/plan.h"
#include "adapters/plan/plan_request.h"

namespace rrfp {

/// Why no plan comes of a request: the key at fault, and what is wrong with its value, with the
/// remedy.
class PlanFault : public std::invalid_argument {
  public:
    PlanFault(std::string key, const std::string& what)
        : std::invalid_argument(what), key_(std::move(key)) {}

    /// A key of `[schedule]`, without the section.
    const std::string& key() const { return key_; }

  private:
    std::string key_;
};

/// Resolves and checks `request`: defaults that depend on other keys, limits as numbers, the hint
/// generated or read, the agreement. Everything that a front end must not decide by itself is
/// decided here. Throws PlanFault for the first fault, std::invalid_argument for a placement that
/// is none.
Plan make_plan(const PlanRequest& request);

/// The names that `arbiter` may take: rrfp's own, and those of the plugin at `plugin`; empty is
/// none. Throws as ArbiterPlugin::load.
std::vector<std::string> known_arbiters(const std::string& plugin);

}  // namespace rrfp
