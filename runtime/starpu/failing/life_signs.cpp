#include "runtime/starpu/failing/life_signs.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "runtime/system/monotonic_clock.h"

namespace rrfp {
namespace {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

// Static memory is zero: nothing is known yet.
LifeSign unseen;
LifeSign* own = &unseen;

std::size_t bytes(int ranks) { return static_cast<std::size_t>(ranks) * sizeof(LifeSign); }

[[noreturn]] void fail(const char* call) {
    throw std::runtime_error(fmt::format("{}: {}", call, std::strerror(errno)));
}

LifeSign* map(int file, std::size_t size) {
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<LifeSign*>(memory);
}

/// The launcher's memory; null where there is none, as on another node than its own.
LifeSign* launcher_memory(int rank) {
    const char* mark = std::getenv(LifeSigns::variable);
    int pid = 0;
    int number = 0;
    if (!mark || std::sscanf(mark, "%d:%d:", &pid, &number) != 2) return nullptr;
    const Descriptor file(open(fmt::format("/proc/{}/fd/{}", pid, number).c_str(),
                               O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.number() < 0) return nullptr;
    struct stat facts {};
    // Another process may have got the number since: only memory that fits is the launcher's.
    if (fstat(file.number(), &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_nlink != 0) {
        return nullptr;
    }
    const auto size = static_cast<std::size_t>(facts.st_size);
    if (size % sizeof(LifeSign) != 0 || size < bytes(rank + 1)) return nullptr;
    return map(file.number(), size);
}

}  // namespace

LifeSigns::LifeSigns(int ranks)
    : file_(memfd_create("rrfp life signs", MFD_CLOEXEC)),
      ranks_(ranks),
      created_ns_(monotonic_ns()) {
    if (file_.number() < 0) fail("memfd_create");
    if (ftruncate(file_.number(), static_cast<off_t>(bytes(ranks))) != 0) fail("ftruncate");
    signs_ = map(file_.number(), bytes(ranks));
    if (!signs_) fail("mmap");
    std::uninitialized_value_construct_n(signs_, ranks);
}

LifeSigns::~LifeSigns() { munmap(signs_, bytes(ranks_)); }

std::string LifeSigns::mark() const {
    return fmt::format("{}:{}:{}", getpid(), file_.number(), created_ns_);
}

std::optional<LifeReading> LifeSigns::read(int rank) const {
    if (rank < 0 || rank >= ranks_) return std::nullopt;
    const LifeReading reading = signs_[rank].read();
    return reading.pid == 0 ? std::nullopt : std::optional(reading);
}

LifeSign& life_sign() { return *own; }

bool life_sign_is_seen() { return own != &unseen; }

void show_life_sign(int rank) {
    if (rank < 0) return;
    if (LifeSign* memory = launcher_memory(rank)) own = memory + rank;
    own->begin(getpid());
}

}  // namespace rrfp
