// Invariant: see the header, for a group of two ranks.
#include "tests/gpt/tensor_parallel.h"
