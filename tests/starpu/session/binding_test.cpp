// Invariant: ranks are bound only where each gets a core for its worker and one for StarPU-MPI's
// thread, no core is given twice, and nobody's earlier choice is overruled.
#include "runtime/starpu/session/binding.h"

#include <set>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

TEST(Binding, gives_each_rank_two_cores_of_its_own) {
    const NodeCores cores{.first_pu = {0, 2, 4, 6, 8, 10, 12, 14}, .restricted = false};
    std::set<unsigned> given;
    for (int rank = 0; rank < 4; ++rank) {
        const auto binding = plan_binding(cores, rank, 4);
        ASSERT_TRUE(binding.has_value());
        EXPECT_TRUE(given.insert(binding->worker_pu).second);
        EXPECT_TRUE(given.insert(binding->progress_pu).second);
    }
    EXPECT_EQ(given, (std::set<unsigned>{0, 2, 4, 6, 8, 10, 12, 14}));
}

TEST(Binding, binds_nothing_when_threads_outnumber_cores) {
    const NodeCores cores{.first_pu = {0, 1, 2}, .restricted = false};
    EXPECT_TRUE(plan_binding(cores, 0, 1).has_value());
    EXPECT_FALSE(plan_binding(cores, 0, 2).has_value());
    EXPECT_FALSE(plan_binding({}, 0, 1).has_value());
}

TEST(Binding, leaves_a_bound_process_alone) {
    const NodeCores cores{.first_pu = {0, 1, 2, 3}, .restricted = true};
    EXPECT_FALSE(plan_binding(cores, 0, 1).has_value());
}

TEST(Binding, finds_the_cores_of_this_machine) { EXPECT_FALSE(find_node_cores().first_pu.empty()); }

}  // namespace
}  // namespace rrfp
