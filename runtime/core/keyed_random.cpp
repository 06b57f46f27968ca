#include "runtime/core/keyed_random.h"

#include <cmath>

#include "runtime/core/portable_math.h"

namespace rrfp {
namespace {

constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15U;

/// David Stafford's mix 13, the finaliser of SplitMix64: a bijection that avalanches.
std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/// SplitMix64 from a key: for draws that need more than one number.
class Stream {
  public:
    explicit Stream(std::initializer_list<std::uint64_t> key) : state_(keyed_bits(key)) {}
    std::uint64_t next() { return mix(state_ += golden_gamma); }

  private:
    std::uint64_t state_;
};

/// In (0, 1): the middles of 2^52 equal cells, so that neither end is met.
double to_uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

}  // namespace

std::uint64_t keyed_bits(std::initializer_list<std::uint64_t> key) {
    // Each word is mixed before it is absorbed, so that small words (stages, microbatches) at
    // different places cannot cancel; the length separates a key from its prefixes.
    std::uint64_t hash = mix(golden_gamma + key.size());
    for (const std::uint64_t word : key) {
        hash = mix(hash + golden_gamma + mix(word + golden_gamma));
    }
    return hash;
}

double keyed_uniform(std::initializer_list<std::uint64_t> key) {
    return to_uniform(keyed_bits(key));
}

double keyed_normal(std::initializer_list<std::uint64_t> key) {
    // Marsaglia's polar method: a square root and a logarithm, no table, no sine.
    for (Stream stream(key);;) {
        const double x = 2 * to_uniform(stream.next()) - 1;
        const double y = 2 * to_uniform(stream.next()) - 1;
        const double square = x * x + y * y;
        if (square < 1) {
            return x * std::sqrt(-2 * portable_log(square) / square);
        }
    }
}

double keyed_log_normal(double cv, std::initializer_list<std::uint64_t> key) {
    if (cv == 0) {
        return 1;
    }
    const double variance = portable_log(1 + cv * cv);
    return portable_exp(std::sqrt(variance) * keyed_normal(key) - variance / 2);
}

double keyed_exponential(std::initializer_list<std::uint64_t> key) {
    return -portable_log(keyed_uniform(key));
}

}  // namespace rrfp
