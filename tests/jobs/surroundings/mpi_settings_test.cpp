// Invariant: what the user has told Open MPI stays, by variable or by file; what the run sets goes
// with it; and a job that a batch system may spread over nodes keeps its network.
#include "adapters/jobs/surroundings/mpi_settings.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/jobs/surroundings/environment.h"
#include "adapters/jobs/surroundings/mpi_variables.h"
#include "adapters/jobs/surroundings/one_node.h"
#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

using testing::ScratchFolder;

TEST(MpiSettings, ListsIncludeOrExclude) {
    EXPECT_TRUE(takes("self,vader", "vader"));
    EXPECT_FALSE(takes("self,tcp", "vader"));
    EXPECT_FALSE(takes("^openib,vader", "vader"));
    EXPECT_TRUE(takes("^openib", "vader"));
    EXPECT_TRUE(takes("^", "vader"));
}

/// A home with a file of settings in it.
struct Home {
    ScratchFolder folder;
    ScopedVariables variables;

    explicit Home(const std::string& settings) {
        std::filesystem::create_directory(folder.file(".openmpi"));
        std::ofstream(folder.file(".openmpi/mca-params.conf")) << settings;
        variables.set("HOME", folder.path());
    }
};

TEST(MpiSettings, AVariableGoesBeforeTheFileAndCommentsAreNone) {
    Home home("# btl = self\n  btl=^vader \nbtl_base_verbose = 10\n");
    EXPECT_EQ(setting_of_user("btl"), "^vader");
    EXPECT_EQ(setting_of_user("pml"), std::nullopt);
    EXPECT_EQ(examine_transports().health, Health::warn);
    home.variables.set("OMPI_MCA_btl", "self,vader");
    EXPECT_EQ(setting_of_user("btl"), "self,vader");
    EXPECT_EQ(examine_transports().health, Health::ok);
}

TEST(MpiSettings, ASettingThatConnectsNobodyIsRefused) {
    ScopedVariables variables;
    for (const char* setting : {"self", "vader", "tcp,vader", "^vader,tcp", "^self"}) {
        variables.set("OMPI_MCA_btl", setting);
        EXPECT_EQ(examine_transports().health, Health::fail) << setting;
    }
    variables.set("OMPI_MCA_btl", "self,vader");
    for (const char* setting : {"^sm", "rdma"}) {
        variables.set("OMPI_MCA_osc", setting);
        EXPECT_EQ(examine_transports().health, Health::fail) << setting;
    }
    variables.set("OMPI_MCA_osc", "^ucx");
    for (const char* setting : {"self,tcp", "^vader", "self,openib"}) {
        variables.set("OMPI_MCA_btl", setting);
        EXPECT_EQ(examine_transports().health, Health::warn) << setting;
    }
}

TEST(MpiVariables, AreSetWhereTheUserSaidNothingAndGoWithTheRun) {
    const Home home("");
    {
        ScopedVariables variables;
        variables.set("OMPI_MCA_osc_sm_backing_directory", "/mine");
        set_mpi_variables(variables, "/folder", false, true);
        EXPECT_EQ(variable("OMPI_MCA_orte_tmpdir_base"), "/folder");
        EXPECT_EQ(variable("OMPI_MCA_btl_vader_backing_directory"), "/folder");
        EXPECT_EQ(variable("OMPI_MCA_osc_sm_backing_directory"), "/mine");
        EXPECT_EQ(variable("OMPI_MCA_btl"), "self,vader");
        EXPECT_EQ(variable(single_copy_variable), "none");
    }
    for (const char* name :
         {"OMPI_MCA_orte_tmpdir_base", "OMPI_MCA_btl_vader_backing_directory",
          "OMPI_MCA_osc_sm_backing_directory", "OMPI_MCA_btl", single_copy_variable}) {
        EXPECT_EQ(variable(name), std::nullopt) << name;
    }
}

TEST(MpiVariables, TheNetworkStaysWhereRanksMayBeElsewhere) {
    const Home home("");
    ScopedVariables variables;
    EXPECT_TRUE(ranks_stay_here());
    set_mpi_variables(variables, "/folder", true, false);
    EXPECT_EQ(variable("OMPI_MCA_btl"), std::nullopt);
    EXPECT_EQ(variable(single_copy_variable), std::nullopt);
    variables.set("SLURM_JOB_ID", "7");
    EXPECT_FALSE(ranks_stay_here());
    const Home hosts("orte_default_hostfile = /my/hosts\n");
    ScopedVariables none;
    none.set("SLURM_JOB_ID", "");
    EXPECT_FALSE(ranks_stay_here());
}

}  // namespace
}  // namespace rrfp
