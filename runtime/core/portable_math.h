#pragma once

namespace rrfp {

/// Natural logarithm and exponential from additions, multiplications and divisions alone, in one
/// order of evaluation: the same bits on every IEEE machine, which the C library does not promise.
/// Within a few units in the last place. `portable_log` takes finite x > 0; `portable_exp` |x| <
/// 700.
double portable_log(double x);
double portable_exp(double x);

}  // namespace rrfp
