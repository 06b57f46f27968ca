#pragma once

#include <optional>
#include <vector>

namespace rrfp {

/// Positions of a list, each present or absent and carrying a value; finds the first present one
/// whose value is below a bound in O(log n). A tournament tree of least values.
class PositionIndex {
  public:
    explicit PositionIndex(int positions);

    void insert(int position, int value);
    void erase(int position);
    /// The first present position whose value is below `end`.
    std::optional<int> first(int end) const;
    void clear();

  private:
    void set(int position, int value);

    int leaves_;              // a power of two
    std::vector<int> least_;  // [1] is the root; the children of n are 2n and 2n + 1
};

}  // namespace rrfp
