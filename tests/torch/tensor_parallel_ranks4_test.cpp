// Invariant: see the header, for a group of four ranks.
#include "tests/torch/tensor_parallel.h"
