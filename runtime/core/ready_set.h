#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/core/task.h"

namespace rrfp {

/// The tasks of one rank whose inputs are all present and that were not dispatched yet: a bitmap of
/// microbatches for each (kind, chunk), with a summary level, so that the lowest ready microbatch
/// is found in O(1) for up to 4096 microbatches and O(M / 4096) beyond.
class ReadySet {
  public:
    ReadySet(int chunks, int microbatches);

    /// Inserting what is there, and erasing what is not, changes nothing.
    void insert(TaskKind kind, int chunk, int microbatch);
    void erase(TaskKind kind, int chunk, int microbatch);
    bool contains(TaskKind kind, int chunk, int microbatch) const;
    /// The lowest ready microbatch of (kind, chunk) below `end`.
    std::optional<int> first(TaskKind kind, int chunk, int end) const;
    int size() const { return size_; }
    int size(TaskKind kind) const { return sizes_[static_cast<int>(kind)]; }
    void clear();

  private:
    struct Bitmap {
        std::vector<std::uint64_t> words;
        std::vector<std::uint64_t> summary;
    };
    Bitmap& bitmap(TaskKind kind, int chunk);
    const Bitmap& bitmap(TaskKind kind, int chunk) const;

    int chunks_;
    int size_ = 0;
    std::array<int, task_kinds> sizes_{};
    std::vector<Bitmap> bitmaps_;
};

}  // namespace rrfp
