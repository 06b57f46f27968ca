#include "runtime/starpu/freed_memory.h"

#include <malloc.h>
#include <stdexcept>

namespace rrfp {

void keep_freed_memory() {
#ifdef __GLIBC__
    constexpr int largest_kept = 32 << 20;
    constexpr int never_trim = 1 << 30;
    if (mallopt(M_MMAP_THRESHOLD, largest_kept) != 1 ||
        mallopt(M_TRIM_THRESHOLD, never_trim) != 1) {
        throw std::runtime_error("mallopt refused its thresholds: look at GLIBC_TUNABLES");
    }
#endif
}

}  // namespace rrfp
