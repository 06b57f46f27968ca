#include "runtime/starpu/iteration/arrival_log.h"

#include <utility>

namespace rrfp {

void ArrivalLog::begin(int messages) {
    const std::lock_guard lock(mutex_);
    arrivals_.clear();
    arrivals_.reserve(static_cast<std::size_t>(messages));
}

void ArrivalLog::add(const ArrivalRecord& arrival) {
    const std::lock_guard lock(mutex_);
    arrivals_.push_back(arrival);
}

std::vector<ArrivalRecord> ArrivalLog::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(arrivals_, {});
}

}  // namespace rrfp
