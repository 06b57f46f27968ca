// Invariant: a process that another MPI's launcher started as one of several never takes the job
// for its own, nor does one whose environment only looks like Open MPI's (cases R52, B20).
#include "adapters/jobs/launch/foreign_launcher.h"

#include <cstdlib>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/jobs/job/bad_input.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Variables = std::map<std::string, std::string>;

/// What is said under exactly these variables of launchers; "" when nothing is refused.
std::string refusal(const Variables& variables) {
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    std::string said;
    try {
        refuse_foreign_launcher();
    } catch (const BadInput& refused) {
        said = refused.messages().front();
    }
    for (const auto& [name, value] : variables) unsetenv(name.c_str());
    return said;
}

TEST(ForeignLauncher, R52_is_named_with_the_remedy) {
    const std::map<std::string, Variables> launchers = {
        {"srun", {{"SLURM_PROCID", "2"}, {"SLURM_STEP_NUM_TASKS", "4"}}},
        {"MPICH", {{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}}},
        {"MVAPICH", {{"MV2_COMM_WORLD_RANK", "2"}, {"MV2_COMM_WORLD_SIZE", "4"}}}};
    for (const auto& [name, variables] : launchers) {
        EXPECT_THAT(refusal(variables),
                    AllOf(HasSubstr("4 times"), HasSubstr(name), HasSubstr("Start rrfp run once")));
    }
}

TEST(ForeignLauncher, one_process_alone_may_run_the_job) {
    EXPECT_EQ(refusal({}), "");
    EXPECT_EQ(refusal({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}), "");
    EXPECT_EQ(refusal({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), "");  // a batch script
}

TEST(ForeignLauncher, ranks_of_open_mpi_below_another_launcher_are_open_mpis) {
    EXPECT_EQ(refusal({{"OMPI_COMM_WORLD_RANK", "1"},
                       {"OMPI_COMM_WORLD_SIZE", "4"},
                       {"PMIX_RANK", "1"},
                       {"SLURM_PROCID", "0"},
                       {"SLURM_STEP_NUM_TASKS", "2"}}),
              "");
}

TEST(ForeignLauncher, B20_variables_set_by_hand_are_refused) {
    EXPECT_THAT(refusal({{"OMPI_COMM_WORLD_SIZE", "4"}}),
                HasSubstr("OMPI_COMM_WORLD_SIZE=4 is set as if mpirun"));
    EXPECT_THAT(refusal({{"OMPI_COMM_WORLD_RANK", "0"}}), HasSubstr("OMPI_COMM_WORLD_RANK=0"));
}

}  // namespace
}  // namespace rrfp
