#include "runtime/core/agreement/board_memory.h"

namespace rrfp {
namespace {

constexpr int state_bits = 2;

/// The number of the decision above, then task and state.
std::uint64_t pack(std::uint64_t decision, const BoardEntry& entry) {
    return decision << 32 | static_cast<std::uint64_t>(entry.task) << state_bits |
           static_cast<std::uint64_t>(entry.state);
}

BoardEntry unpack(std::uint64_t decision, std::uint64_t word) {
    const auto low = static_cast<std::uint32_t>(word);
    const auto state = static_cast<BoardEntry::State>(low & ((1U << state_bits) - 1));
    if (word >> 32 != static_cast<std::uint32_t>(decision) || state == BoardEntry::State::empty) {
        return {};
    }
    return {.state = state, .task = static_cast<int>(low >> state_bits)};
}

}  // namespace

std::size_t BoardMemory::bytes(int tasks) {
    const int eights = ring_size(tasks) + words(tasks) + tasks;
    return eights * sizeof(Word) + tasks * sizeof(std::atomic<std::uint32_t>);
}

BoardMemory::BoardMemory(void* memory, int tasks)
    : tasks_(tasks),
      entries_(static_cast<Word*>(memory)),
      common_(entries_ + ring_size(tasks)),
      times_(reinterpret_cast<std::atomic<double>*>(common_ + words(tasks))),
      arrivals_(reinterpret_cast<std::atomic<std::uint32_t>*>(times_ + tasks)) {}

bool BoardMemory::arrive(int task, int members, double now_ms) {
    if (arrivals_[task].fetch_add(1) + 1 < static_cast<std::uint32_t>(members)) return false;
    times_[task].store(now_ms);
    arrivals_[task].store(0);
    common_[task / word_bits].fetch_or(std::uint64_t{1} << (task % word_bits));
    return true;
}

BoardEntry BoardMemory::entry(std::uint64_t decision) const {
    return unpack(decision, place(decision).load());
}

bool BoardMemory::replace(std::uint64_t decision, BoardEntry& seen, const BoardEntry& with) {
    std::uint64_t word = place(decision).load();
    if (unpack(decision, word) == seen &&
        place(decision).compare_exchange_strong(word, pack(decision, with))) {
        return true;
    }
    seen = unpack(decision, word);
    return false;
}

}  // namespace rrfp
