// Guards: see the header, on four ranks.
#include "tests/starpu/iteration/pipeline_invariants.h"
