#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/core/admission_rule.h"
#include "runtime/core/placement.h"

namespace rrfp {

/// A value given as a word or as numbers.
using WordOrNumbers = std::variant<std::vector<int>, std::string>;

// The words of the keys that name one of several things, in the order documentation lists them. No
// front end keeps a list of its own.

std::vector<std::string> placements();
std::vector<std::string> admissions();
std::vector<std::string> agreements();
std::vector<std::string> agreement_scopes();
std::vector<std::string> waitings();

/// What `placement`, a word or the rank of each stage, stands for. Throws std::invalid_argument for
/// a list that is none.
Placement placement_of(const WordOrNumbers& placement, int ranks, int chunks);

/// The rule called `word`; nothing for `auto`, which leaves the choice to `make_plan`. Throws
/// std::invalid_argument with the known words.
std::optional<AdmissionRule> admission_of(std::string_view word);

}  // namespace rrfp
