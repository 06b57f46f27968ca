// Invariant: see the header, on four ranks.
#include "tests/collectives/mpi_collectives.h"
