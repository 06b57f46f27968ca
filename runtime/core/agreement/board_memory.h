#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace rrfp {

/// An entry of the board's ring of decisions.
struct BoardEntry {
    /// Replaceable by the leader until the first member with a free worker makes it final.
    enum class State : std::uint8_t { empty, provisional, final };
    State state = State::empty;
    int task = 0;  ///< its index

    friend bool operator==(const BoardEntry&, const BoardEntry&) = default;
};

/// What the members of a group share under the protocol `board`: who is ready for what, and the
/// ring of decisions. A view of memory that is theirs in common; each member makes its own. All
/// words are lock-free atomics, and memory of zeros is an empty board.
///
/// A task's arrivals are counted; the member that completes the count stores the time, starts the
/// count anew and sets the task's bit, which the leader takes. Nobody touches the task again before
/// it was decided, thus in the next iteration, so the words need no iteration number.
///
/// An entry carries the number of its decision: what an earlier lap left in its place reads as
/// empty. The ring holds an iteration's decisions, and no member is a whole iteration behind: the
/// leader decides what is ready everywhere, which in the next iteration takes every member to have
/// begun it.
class BoardMemory {
  public:
    /// Bytes for iterations of `tasks` tasks.
    static std::size_t bytes(int tasks);
    /// `memory` holds `bytes(tasks)`, zero before the first view was made, aligned to 8 bytes.
    BoardMemory(void* memory, int tasks);

    /// One more member is ready for `task`; true when that makes all `members`.
    bool arrive(int task, int members, double now_ms);
    /// Calls `use(task)` for each task that became ready everywhere since the last call. The
    /// leader's.
    template <typename Use>
    void take_common(const Use& use);
    /// When the last member became ready for `task`.
    double ready_everywhere_ms(int task) const { return times_[task].load(); }

    BoardEntry entry(std::uint64_t decision) const;
    /// Replaces the entry if it still is `seen`, which becomes what it is otherwise.
    bool replace(std::uint64_t decision, BoardEntry& seen, const BoardEntry& with);

  private:
    using Word = std::atomic<std::uint64_t>;
    static_assert(Word::is_always_lock_free && std::atomic<double>::is_always_lock_free);

    static constexpr int word_bits = 64;
    static int ring_size(int tasks) { return tasks + 2; }
    static int words(int tasks) { return (tasks + word_bits - 1) / word_bits; }
    Word& place(std::uint64_t decision) const {
        return entries_[decision % static_cast<std::uint64_t>(ring_size(tasks_))];
    }

    int tasks_;
    Word* entries_;
    Word* common_;
    std::atomic<double>* times_;
    std::atomic<std::uint32_t>* arrivals_;
};

template <typename Use>
void BoardMemory::take_common(const Use& use) {
    for (int word = 0; word < words(tasks_); ++word) {
        if (common_[word].load() == 0) continue;
        for (std::uint64_t bits = common_[word].exchange(0); bits != 0; bits &= bits - 1) {
            use(word * word_bits + std::countr_zero(bits));
        }
    }
}

}  // namespace rrfp
