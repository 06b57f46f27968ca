#include "runtime/core/portable_math.h"

#include <cmath>

// Compiled with -ffp-contract=off (CMakeLists.txt): a fused multiply-add would round differently.

namespace rrfp {
namespace {

constexpr double ln2_high = 6.93147180369123816490e-01;  // low 32 bits zero: k * ln2_high is exact
constexpr double ln2_low = 1.90821492927058770002e-10;

}  // namespace

double portable_log(double x) {
    int exponent = 0;
    double mantissa = std::frexp(x, &exponent);  // in [1/2, 1)
    if (mantissa < 0.70710678118654752) {
        mantissa *= 2;
        --exponent;
    }
    // log(m) = 2 atanh(z), z = (m - 1) / (m + 1), |z| < 0.1716: twelve terms reach 1e-19.
    const double z = (mantissa - 1) / (mantissa + 1);
    const double square = z * z;
    double series = 0;
    for (int odd = 23; odd >= 1; odd -= 2) {
        series = series * square + 1.0 / odd;
    }
    return exponent * ln2_high + (2 * z * series + exponent * ln2_low);
}

double portable_exp(double x) {
    const double powers_of_two = std::floor(x / (ln2_high + ln2_low) + 0.5);
    const double rest = (x - powers_of_two * ln2_high) - powers_of_two * ln2_low;
    // Taylor by Horner, |rest| < 0.3467: sixteen terms reach 1e-20.
    double series = 1;
    for (int term = 16; term >= 1; --term) {
        series = 1 + series * rest / term;
    }
    return std::ldexp(series, static_cast<int>(powers_of_two));
}

}  // namespace rrfp
