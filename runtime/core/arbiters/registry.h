#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/admission_rule.h"
#include "runtime/core/arbiter.h"

namespace rrfp {

/// What an arbiter may be built from. References live as long as the call.
struct ArbiterSetup {
    const Pipeline& pipeline;
    int rank = 0;
    /// This rank's list of the hint order; empty when the job gives none.
    const std::vector<Task>& hint;
    /// The bound on D at each rank; empty means none.
    std::span<const int> limits = {};
    AdmissionRule admission = AdmissionRule::drain;
};

/// One arbiter by name.
struct ArbiterEntry {
    const char* name;
    bool needs_hint = false;
    std::function<std::unique_ptr<Arbiter>(const ArbiterSetup&)> make;
    /// Whether its choice depends on more than the ready set and what was dispatched and completed,
    /// as on durations or on the time: ranks that each choose for themselves would then differ.
    bool local = false;
    /// Whether it is of use only where weight gradients are tasks of their own.
    bool needs_split = false;
};

/// The arbiters supplied, in the order documentation lists them. To add one: write its file,
/// declare its factory below, and add a line to the table in registry.cpp.
const std::vector<ArbiterEntry>& arbiter_registry();
/// The entry called `name`, or nullptr.
const ArbiterEntry* find_arbiter(const std::string& name);

std::unique_ptr<Arbiter> make_bf(const ArbiterSetup& setup);
std::unique_ptr<Arbiter> make_fb(const ArbiterSetup& setup);
std::unique_ptr<Arbiter> make_b_priority(const ArbiterSetup& setup);
std::unique_ptr<Arbiter> make_f_priority(const ArbiterSetup& setup);
std::unique_ptr<Arbiter> make_bfw(const ArbiterSetup& setup);
std::unique_ptr<Arbiter> make_tide(const ArbiterSetup& setup);
std::unique_ptr<Arbiter> make_tide_w(const ArbiterSetup& setup);
std::unique_ptr<Arbiter> make_critical_path(const ArbiterSetup& setup);
std::unique_ptr<Arbiter> make_order(const ArbiterSetup& setup);
std::unique_ptr<Arbiter> make_fixed(const ArbiterSetup& setup);

}  // namespace rrfp
