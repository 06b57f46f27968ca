#include "adapters/jobs/surroundings/mpi_variables.h"

#include <fmt/format.h>

#include "adapters/jobs/surroundings/mpi_settings.h"

namespace rrfp {
void set_mpi_variables(ScopedVariables& variables, const std::string& folder, bool single_copy,
                       bool one_node) {
    for (const char* name : {"OMPI_MCA_orte_tmpdir_base", "OMPI_MCA_btl_vader_backing_directory",
                             "OMPI_MCA_osc_sm_backing_directory"}) {
        variables.set_default(name, folder);
    }
    if (one_node && !setting_of_user("btl") &&
        takes(setting_of_system("btl").value_or("^"), "vader")) {
        // Without tcp no rank listens to the network.
        variables.set("OMPI_MCA_btl", "self,vader");
    }
    if (!single_copy) variables.set_default(single_copy_variable, "none");
}

Fact examine_transports() {
    constexpr const char* name = "Messages on this machine";
    const auto setting = setting_of_user("btl");
    if (!setting || takes(*setting, "vader")) return {name, "through its memory"};
    return {name,
            fmt::format("btl = {} keeps Open MPI from using its memory (vader): expect "
                        "iterations several times slower",
                        *setting),
            Health::warn, "take vader back in: OMPI_MCA_btl, or ~/.openmpi/mca-params.conf"};
}

}  // namespace rrfp
