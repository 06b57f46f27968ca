#pragma once

// Invariant: MPI's collectives keep what the interface promises, on any number of ranks. Test files
// that include this one say how many.
#include "adapters/collectives/mpi_collectives.h"
#include "tests/collectives/conformance.h"

namespace rrfp::testing {

INSTANTIATE_TEST_SUITE_P(mpi, CollectivesConformance,
                         ::testing::Values(CollectivesBackend{
                             "mpi", [](std::span<const int> world_ranks) {
                                 return make_mpi_collectives(world_ranks, {.name = "test group"});
                             }}));

}  // namespace rrfp::testing
