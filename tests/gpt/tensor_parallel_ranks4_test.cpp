// Invariant: see the header, for a group of four ranks.
#include "tests/gpt/tensor_parallel.h"
