#include "adapters/command/common/freed_memory.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <malloc.h>

namespace rrfp {
namespace {

/// The most that glibc takes for the threshold, half of one of its heaps.
constexpr int largest_kept_block = 32 << 20;

bool tuned_by_user() {
    const char* const names[] = {"GLIBC_TUNABLES", "MALLOC_MMAP_THRESHOLD_",
                                 "MALLOC_TRIM_THRESHOLD_"};
    return std::any_of(std::begin(names), std::end(names),
                       [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace

void keep_freed_memory() {
    if (tuned_by_user()) return;
    // Refused settings leave the allocator as it was: slower, not wrong.
    mallopt(M_MMAP_THRESHOLD, largest_kept_block);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

}  // namespace rrfp
