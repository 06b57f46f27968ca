// Invariant: see the header, for a group of two ranks.
#include "tests/torch/tensor_parallel.h"
