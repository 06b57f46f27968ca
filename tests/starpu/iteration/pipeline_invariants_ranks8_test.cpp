// Guards: see the header, on eight ranks.
#include "tests/starpu/iteration/pipeline_invariants.h"
