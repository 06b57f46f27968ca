#pragma once

#include <string>
#include <vector>

#include "runtime/core/pipeline.h"

namespace rrfp {

/// How the tasks of one rank look in a StarPU trace: named as in a schedule table, `3F12` (stage 3,
/// microbatch 12), one colour a kind, shaded by chunk. No spaces: StarPU writes names into the Paje
/// file without quotes. StarPU keeps pointers to the names, so they live as long as this.
class TaskAppearance {
  public:
    /// Without `traced` there are no names, since nobody would read them.
    TaskAppearance(const Pipeline& pipeline, int rank, bool traced);

    /// nullptr when not traced.
    const char* name(const Task& task) const;
    /// 0xRRGGBB.
    unsigned color(const Task& task) const;

  private:
    Placement placement_;
    int microbatches_;
    int chunks_;
    std::vector<std::string> names_;  // [(kind * chunks + chunk) * microbatches + microbatch]
};

}  // namespace rrfp
