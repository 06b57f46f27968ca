#pragma once

#include "runtime/core/metrics.h"
#include "runtime/starpu/iteration/buffer_accounts.h"
#include "runtime/starpu/iteration/microbatch_slot.h"

namespace rrfp {

/// The parcels in one rank's links: put there by tasks and messages, freed after their last reader,
/// and counted in the buffer that they belong to. StarPU's dependencies order what happens to one
/// link; several links may be used at once.
class LinkParcels {
  public:
    /// The parcel of a task's link; an empty one for index -1.
    static const Parcel& of(const TaskSite& site, int link);

    /// Forgets the high water of the iteration before.
    void begin_iteration() { accounts_.begin_iteration(); }
    /// Puts what a task has made into its output; nothing where it has none.
    void keep(const TaskSite& site, Parcel result);
    /// Counts what a message has brought.
    void arrived(LinkSite& site);
    /// Frees the inputs of which the task is the last reader.
    void free_inputs(const TaskSite& site);
    void free(LinkSite& site);

    Buffers read() const { return accounts_.read(); }

  private:
    BufferAccounts accounts_;
};

}  // namespace rrfp
