// Invariant: MPI's collectives keep what the interface promises, on 4 ranks.
#include "adapters/collectives/mpi_collectives.h"
#include "tests/collectives/conformance.h"

namespace rrfp::testing {

INSTANTIATE_TEST_SUITE_P(mpi, CollectivesConformance,
                         ::testing::Values(CollectivesBackend{
                             "mpi", [](std::span<const int> world_ranks) {
                                 return make_mpi_collectives(world_ranks, {.name = "test group"});
                             }}));

}  // namespace rrfp::testing
