#pragma once

#include <optional>
#include <string>

namespace rrfp {

/// The value that the user gives Open MPI's parameter `name`: by the variable OMPI_MCA_<name>, else
/// in ~/.openmpi/mca-params.conf.
std::optional<std::string> setting_of_user(const std::string& name);

/// The same of the machine's administrator: in openmpi-mca-params.conf.
std::optional<std::string> setting_of_system(const std::string& name);

/// Whether the machine's default list of hosts has any.
bool has_default_hosts();

/// Whether Open MPI takes `component` by a setting such as "self,vader" or "^tcp".
bool takes(const std::string& setting, const std::string& component);

}  // namespace rrfp
