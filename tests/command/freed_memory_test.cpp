// Invariant: a message-sized block that was freed is used again without asking the kernel.

#include "adapters/command/common/freed_memory.h"

#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace rrfp {
namespace {

constexpr std::size_t block = 1 << 20;
constexpr long pages = block / 4096;

long page_faults() {
    rusage usage{};
    EXPECT_EQ(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_minflt;
}

/// Page faults of using and freeing four blocks `rounds` times.
long faults_of_use(int rounds) {
    const long before = page_faults();
    for (int round = 0; round < rounds; ++round) {
        void* blocks[4];
        for (void*& each : blocks) {
            each = std::malloc(block);
            std::memset(each, round, block);
            // So that the compiler cannot leave the pair of calls out.
            asm volatile("" : : "r"(each) : "memory");
        }
        for (void* each : blocks) std::free(each);
    }
    return page_faults() - before;
}

TEST(FreedMemory, IsUsedAgain) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the address sanitizer has an allocator of its own";
#endif
    keep_freed_memory();
    faults_of_use(1);
    EXPECT_LT(faults_of_use(50), pages);
}

}  // namespace
}  // namespace rrfp
