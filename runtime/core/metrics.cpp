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

}  // namespace rrfp
