// Invariant: see the header, on two ranks.
#include "tests/collectives/mpi_collectives.h"
