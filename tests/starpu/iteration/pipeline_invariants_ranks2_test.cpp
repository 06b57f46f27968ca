// Guards: see the header, on two ranks.
#include "tests/starpu/iteration/pipeline_invariants.h"
