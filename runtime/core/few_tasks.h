#pragma once

#include <array>
#include <cstddef>

#include "runtime/core/task.h"

namespace rrfp {

/// At most two tasks, held in place: neighbours of a task are asked for under the policy's lock,
/// where nothing allocates.
class FewTasks {
  public:
    using value_type = Task;
    using const_iterator = const Task*;

    FewTasks() = default;
    explicit FewTasks(const Task& only) { add(only); }
    FewTasks(const Task& first, const Task& second) {
        add(first);
        add(second);
    }

    /// There must be room.
    void add(const Task& task) { tasks_[size_++] = task; }

    const Task* begin() const { return tasks_.data(); }
    const Task* end() const { return tasks_.data() + size_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

  private:
    std::array<Task, 2> tasks_{};
    std::size_t size_ = 0;
};

}  // namespace rrfp
