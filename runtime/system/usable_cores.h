#pragma once

namespace rrfp {

/// Cores that this process may use at once: those that it is bound to, and no more than the quota
/// of its control group (containers). May be a fraction; at least a tenth.
double usable_cores();

}  // namespace rrfp
