#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/plan/words.h"

namespace rrfp {

/// The largest limit that can be given, microbatches.
inline constexpr int most_limit = 1'000'000'000;

/// A limit given as a word: `P-s` or `2P-s` (any factor before the P), P being the pipeline ranks
/// and s the rank, what a 1F1B pipeline holds there; or bytes as `512MiB` (KiB, MiB, GiB, KB, MB,
/// GB or B). One of the two.
struct LimitRule {
    std::optional<std::int64_t> factor;  ///< the k of `kP-s`
    std::optional<std::int64_t> bytes;
};

/// Throws std::invalid_argument, with what may be given, for any other word.
LimitRule limit_rule(std::string_view word);

/// `factor` x `ranks` - s at each rank s. Throws std::invalid_argument where that is above
/// `most_limit`.
std::vector<int> falling_limits(std::int64_t factor, int ranks);

/// How many microbatches fit `bytes` where each keeps `each` bytes at a rank, at most `most`; 0
/// where not one does.
int limit_in_bytes(std::int64_t bytes, std::int64_t each, std::int64_t most = most_limit);

/// What a limit is about: whose, and what a microbatch there keeps.
struct LimitScope {
    int ranks = 1;  ///< of the pipeline
    /// About how many bytes one microbatch in flight keeps at a rank; null where nobody knows.
    std::function<std::int64_t(int rank)> kept_bytes;
    /// The most that bytes may come to: more microbatches there are not.
    std::int64_t most = most_limit;
};

/// The bound on D at each pipeline rank that `limit` stands for: a number, for every rank; a list,
/// one a rank; or a LimitRule. Throws std::invalid_argument with value and remedy for a list of
/// another length and where a rule leaves a rank less than 1.
std::vector<int> limits_of(const WordOrNumbers& limit, const LimitScope& scope);

}  // namespace rrfp
