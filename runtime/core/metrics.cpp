#include "runtime/core/metrics.h"

#include <algorithm>

namespace rrfp {

const char* name(BufferKind kind) {
    constexpr const char* names[buffer_kinds] = {"forward_ready", "forward_finished",
                                                 "backward_ready", "backward_finished"};
    return names[static_cast<int>(kind)];
}

void Occupancy::add(std::int64_t bytes) {
    ++entries_;
    bytes_ += bytes;
    high_water_ = std::max(high_water_, entries_);
    bytes_high_water_ = std::max(bytes_high_water_, bytes_);
}

void Occupancy::remove(std::int64_t bytes) {
    --entries_;
    bytes_ -= bytes;
}

void Occupancy::reset_high_water() {
    high_water_ = entries_;
    bytes_high_water_ = bytes_;
}

void Occupancy::merge_high_water(const Occupancy& other) {
    high_water_ = std::max(high_water_, other.high_water_);
    bytes_high_water_ = std::max(bytes_high_water_, other.bytes_high_water_);
}

Occupancy Occupancy::of_high_water(std::int64_t entries, std::int64_t bytes) {
    Occupancy occupancy;
    occupancy.high_water_ = entries;
    occupancy.bytes_high_water_ = bytes;
    return occupancy;
}

}  // namespace rrfp
