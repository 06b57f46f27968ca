// The ready set answers as a sorted set of (kind, chunk, microbatch) would, whatever came before.

#include "runtime/core/ready_set.h"

#include <set>
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace rrfp {
namespace {

/// The same answers from a std::set, by scanning.
class Reference {
  public:
    void insert(TaskKind kind, int chunk, int microbatch) {
        set_.insert({kind, chunk, microbatch});
    }
    void erase(TaskKind kind, int chunk, int microbatch) { set_.erase({kind, chunk, microbatch}); }
    bool contains(TaskKind kind, int chunk, int microbatch) const {
        return set_.contains({kind, chunk, microbatch});
    }
    std::optional<int> first(TaskKind kind, int chunk, int end) const {
        for (const auto& [k, c, m] : set_) {
            if (k == kind && c == chunk && m < end) {
                return m;
            }
        }
        return std::nullopt;
    }
    int size() const { return static_cast<int>(set_.size()); }

  private:
    std::set<std::tuple<TaskKind, int, int>> set_;
};

RC_GTEST_PROP(ReadySet, AgreesWithASortedSet, ()) {
    const int chunks = *rc::gen::inRange(1, 4);
    const int microbatches = *rc::gen::element(1, 3, 64, 65, 200, 4096, 9000);
    ReadySet tested(chunks, microbatches);
    Reference reference;
    const int steps = *rc::gen::inRange(0, 200);
    for (int step = 0; step < steps; ++step) {
        const auto kind = static_cast<TaskKind>(*rc::gen::inRange(0, task_kinds));
        const int chunk = *rc::gen::inRange(0, chunks);
        const int microbatch = *rc::gen::inRange(0, microbatches);
        if (*rc::gen::inRange(0, 3) < 2) {
            tested.insert(kind, chunk, microbatch);
            reference.insert(kind, chunk, microbatch);
        } else {
            tested.erase(kind, chunk, microbatch);
            reference.erase(kind, chunk, microbatch);
        }
        const int end = *rc::gen::inRange(0, microbatches + 1);
        RC_ASSERT(tested.first(kind, chunk, end) == reference.first(kind, chunk, end));
        RC_ASSERT(tested.contains(kind, chunk, microbatch) ==
                  reference.contains(kind, chunk, microbatch));
        RC_ASSERT(tested.size() == reference.size());
    }
    tested.clear();
    RC_ASSERT(tested.size() == 0);
    RC_ASSERT(!tested.first(TaskKind::forward, 0, microbatches));
}

TEST(ReadySet, CountsEachKind) {
    ReadySet set(2, 10);
    set.insert(TaskKind::forward, 0, 3);
    set.insert(TaskKind::forward, 0, 3);
    set.insert(TaskKind::backward, 1, 3);
    EXPECT_EQ(set.size(), 2);
    EXPECT_EQ(set.size(TaskKind::forward), 1);
    set.erase(TaskKind::forward, 0, 3);
    set.erase(TaskKind::forward, 0, 3);
    EXPECT_EQ(set.size(TaskKind::forward), 0);
    EXPECT_EQ(set.size(), 1);
}

}  // namespace
}  // namespace rrfp
