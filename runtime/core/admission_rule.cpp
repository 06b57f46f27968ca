#include "runtime/core/admission_rule.h"

namespace rrfp {

const char* name(AdmissionRule rule) { return rule == AdmissionRule::drain ? "drain" : "window"; }

}  // namespace rrfp
