#pragma once

#include <cstdint>

namespace rrfp {

/// How the limit on D holds forwards back.
enum class AdmissionRule : std::uint8_t {
    drain,  ///< D < limit; with several chunks, microbatch by microbatch once D is there
    window  ///< by place in the hint: its n-th forward once n - limit were released
};

/// The word of job files: `drain`, `window`.
const char* name(AdmissionRule rule);

}  // namespace rrfp
