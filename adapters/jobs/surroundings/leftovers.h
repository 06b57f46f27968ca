#pragma once

#include "runtime/system/fact.h"

namespace rrfp {

/// What jobs of this user that were killed have left here: folders of runs, which the next run
/// removes, and Open MPI's own sessions and segments of jobs under the user's mpirun, which nobody
/// but the user can know to be dead: other machines may share these folders.
Fact examine_leftovers();

}  // namespace rrfp
