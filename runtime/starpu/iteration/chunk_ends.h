#pragma once

#include <starpu.h>
#include <vector>

#include "runtime/starpu/decision/task_label.h"

namespace rrfp {

/// What StarPU tells of the end of a chunk.
class ChunkEndEvents {
  public:
    /// On the worker: every backward, or weight gradient where it is split, of the chunk has ended
    /// in this iteration.
    virtual void chunk_finished(int chunk) = 0;
    /// On the worker, when the task that made the call above has ended.
    virtual void chunk_end_ended() = 0;

  protected:
    ~ChunkEndEvents() = default;
};

/// One StarPU task at the end of each chunk of an iteration, with dependencies on the tasks that
/// release the chunk's activations. It goes ahead of whatever the policy would choose: what it
/// starts (a reduction of gradients) then overlaps the tasks of other chunks.
///
/// Used by the submitting thread. Tasks of an iteration that failed before its last microbatch was
/// submitted are never submitted, and left to the end of the process.
class ChunkEnds {
  public:
    /// `events` outlives it and its tasks. With `chunks` = 0 nothing happens.
    ChunkEnds(int chunks, ChunkEndEvents& events);

    /// Tasks of an iteration.
    int count() const { return static_cast<int>(sites_.size()); }
    void begin();
    /// Call it before `release`, a task of `chunk`, is submitted.
    void follow(int chunk, starpu_task* release);
    /// Once all releases of the iteration have been submitted.
    void submit();

  private:
    struct Site {
        ChunkEndEvents* events = nullptr;
        int chunk = 0;
        TaskLabel label{.urgent = true};
        starpu_task* task = nullptr;  // StarPU's once submitted
    };

    static starpu_codelet* codelet();
    static void execute(void* buffers[], void* argument);
    static void ended(void* argument);

    std::vector<Site> sites_;
};

}  // namespace rrfp
