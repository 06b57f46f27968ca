#include "runtime/core/ready_set.h"

#include <algorithm>
#include <bit>

namespace rrfp {
namespace {

constexpr int word_bits = 64;

int words_for(int bits) { return (bits + word_bits - 1) / word_bits; }

std::uint64_t bit(int index) { return std::uint64_t{1} << (index % word_bits); }

}  // namespace

ReadySet::ReadySet(int chunks, int microbatches) : chunks_(chunks), bitmaps_(task_kinds * chunks) {
    for (Bitmap& map : bitmaps_) {
        map.words.resize(words_for(microbatches));
        map.summary.resize(words_for(words_for(microbatches)));
    }
}

void ReadySet::insert(TaskKind kind, int chunk, int microbatch) {
    if (contains(kind, chunk, microbatch)) {
        return;
    }
    Bitmap& map = bitmap(kind, chunk);
    const int word = microbatch / word_bits;
    map.words[word] |= bit(microbatch);
    map.summary[word / word_bits] |= bit(word);
    ++size_;
    ++sizes_[static_cast<int>(kind)];
}

void ReadySet::erase(TaskKind kind, int chunk, int microbatch) {
    if (!contains(kind, chunk, microbatch)) {
        return;
    }
    Bitmap& map = bitmap(kind, chunk);
    const int word = microbatch / word_bits;
    map.words[word] &= ~bit(microbatch);
    if (map.words[word] == 0) {
        map.summary[word / word_bits] &= ~bit(word);
    }
    --size_;
    --sizes_[static_cast<int>(kind)];
}

bool ReadySet::contains(TaskKind kind, int chunk, int microbatch) const {
    return (bitmap(kind, chunk).words[microbatch / word_bits] & bit(microbatch)) != 0;
}

std::optional<int> ReadySet::first(TaskKind kind, int chunk, int end) const {
    const Bitmap& map = bitmap(kind, chunk);
    for (std::size_t group = 0; group < map.summary.size(); ++group) {
        if (map.summary[group] == 0) {
            continue;
        }
        const int word = static_cast<int>(group) * word_bits + std::countr_zero(map.summary[group]);
        const int microbatch = word * word_bits + std::countr_zero(map.words[word]);
        return microbatch < end ? std::optional(microbatch) : std::nullopt;
    }
    return std::nullopt;
}

void ReadySet::clear() {
    for (Bitmap& map : bitmaps_) {
        std::fill(map.words.begin(), map.words.end(), 0);
        std::fill(map.summary.begin(), map.summary.end(), 0);
    }
    size_ = 0;
    sizes_.fill(0);
}

ReadySet::Bitmap& ReadySet::bitmap(TaskKind kind, int chunk) {
    return bitmaps_[static_cast<int>(kind) * chunks_ + chunk];
}

const ReadySet::Bitmap& ReadySet::bitmap(TaskKind kind, int chunk) const {
    return bitmaps_[static_cast<int>(kind) * chunks_ + chunk];
}

}  // namespace rrfp
