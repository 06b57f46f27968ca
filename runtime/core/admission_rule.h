#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rrfp {

/// How the limit on D holds forwards back.
enum class AdmissionRule : std::uint8_t {
    drain,   ///< D < limit; with several chunks, microbatch by microbatch once D is there
    window,  ///< by place in the hint: its n-th forward once n - limit were released
    graded   ///< D < limit, less one for each later stage of the rank
};

/// The word of job files: `drain`, `window`, `graded`.
const char* name(AdmissionRule rule);
/// The rule called `word`; nothing where there is none.
std::optional<AdmissionRule> find_admission_rule(std::string_view word);
/// All words, in the order documentation lists them.
std::vector<std::string> admission_rule_names();

}  // namespace rrfp
