#include "runtime/core/position_index.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace rrfp {
namespace {

constexpr int absent = std::numeric_limits<int>::max();

}  // namespace

PositionIndex::PositionIndex(int positions)
    : leaves_(static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(positions, 1))))),
      least_(2 * static_cast<std::size_t>(leaves_), absent) {}

void PositionIndex::insert(int position, int value) { set(position, value); }

void PositionIndex::erase(int position) { set(position, absent); }

std::optional<int> PositionIndex::first(int end) const {
    if (least_[1] >= end) {
        return std::nullopt;
    }
    int node = 1;
    while (node < leaves_) {
        node *= 2;
        if (least_[node] >= end) {
            ++node;
        }
    }
    return node - leaves_;
}

void PositionIndex::clear() { std::fill(least_.begin(), least_.end(), absent); }

void PositionIndex::set(int position, int value) {
    int node = leaves_ + position;
    least_[node] = value;
    while (node > 1) {
        node /= 2;
        least_[node] = std::min(least_[2 * node], least_[2 * node + 1]);
    }
}

}  // namespace rrfp
