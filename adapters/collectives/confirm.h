#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rrfp {

/// Ranks know different things, the same message on every rank.
class RanksDiffer : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// `facts`: name and value, each one line, of what every rank must know alike; the same names on
/// every rank. Throws RanksDiffer on every rank where one has another value than most, or, where no
/// value is more frequent, than rank 0: names rank, fact and both values. One collective over all
/// ranks, slept through as those of world.h.
void confirm_alike(const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace rrfp
