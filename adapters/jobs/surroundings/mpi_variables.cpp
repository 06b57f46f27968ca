#include "adapters/jobs/surroundings/mpi_variables.h"

#include <fmt/format.h>

#include "adapters/jobs/surroundings/mpi_settings.h"

namespace rrfp {
namespace {

/// Whether a setting of Open MPI's transports can carry a job on this machine. Names that are not
/// known here may do.
bool can_connect(const std::string& setting) {
    if (!takes(setting, "self")) return false;
    if (takes(setting, "vader") || takes(setting, "tcp")) return true;
    return setting != "self" && !setting.starts_with('^');
}

}  // namespace

void set_mpi_variables(ScopedVariables& variables, const std::string& folder, bool single_copy,
                       bool one_node) {
    for (const std::string name :
         {"orte_tmpdir_base", "btl_vader_backing_directory", "osc_sm_backing_directory"}) {
        if (!setting_of_user(name)) variables.set("OMPI_MCA_" + name, folder);
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
    if (const auto windows = setting_of_user("osc"); windows && !takes(*windows, "sm")) {
        return {
            name,
            fmt::format("osc = {} keeps Open MPI from sharing memory between ranks (sm)", *windows),
            Health::fail, "unset it: OMPI_MCA_osc, or osc in ~/.openmpi/mca-params.conf"};
    }
    const auto setting = setting_of_user("btl");
    if (!setting) return {name, "through its memory"};
    const std::string remedy =
        "unset it, or set self,vader: OMPI_MCA_btl, or btl in ~/.openmpi/mca-params.conf";
    if (!can_connect(*setting)) {
        return {name,
                fmt::format("btl = {} leaves Open MPI no way from rank to rank, or to itself",
                            *setting),
                Health::fail, remedy};
    }
    if (takes(*setting, "vader")) return {name, "through its memory"};
    return {name,
            fmt::format("btl = {} keeps Open MPI from using its memory (vader): expect iterations "
                        "several times slower",
                        *setting),
            Health::warn, remedy};
}

}  // namespace rrfp
