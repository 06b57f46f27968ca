#include "adapters/jobs/surroundings/mpi_settings.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "adapters/jobs/launch/find_program.h"
#include "adapters/jobs/surroundings/environment.h"

namespace rrfp {
namespace {

std::string trimmed(const std::string& text) {
    constexpr const char* blanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Lines that say something.
std::vector<std::string> lines_of(const std::string& file) {
    std::vector<std::string> lines;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        line = trimmed(line);
        if (!line.empty() && line.front() != '#') lines.push_back(line);
    }
    return lines;
}

/// Of lines such as "btl = ^openib"; the last one holds.
std::optional<std::string> setting_in(const std::string& file, const std::string& name) {
    std::optional<std::string> value;
    for (const std::string& line : lines_of(file)) {
        const std::size_t equals = line.find('=');
        if (equals != std::string::npos && trimmed(line.substr(0, equals)) == name) {
            value = trimmed(line.substr(equals + 1));
        }
    }
    return value;
}

/// Where the machine's settings lie: Debian's place, and below the prefix of mpirun.
std::vector<std::string> system_folders() {
    std::vector<std::string> folders = {"/etc/openmpi"};
    if (const auto prefix = variable("OPAL_PREFIX")) folders.push_back(*prefix + "/etc");
    if (const auto program = find_program("mpirun")) {
        folders.push_back(program->substr(0, program->rfind('/')) + "/../etc");
    }
    return folders;
}

}  // namespace

std::optional<std::string> setting_of_user(const std::string& name) {
    if (const auto value = variable(("OMPI_MCA_" + name).c_str())) return value;
    const auto home = variable("HOME");
    return home ? setting_in(*home + "/.openmpi/mca-params.conf", name) : std::nullopt;
}

std::optional<std::string> setting_of_system(const std::string& name) {
    for (const std::string& folder : system_folders()) {
        if (auto value = setting_in(folder + "/openmpi-mca-params.conf", name)) return value;
    }
    return std::nullopt;
}

bool has_default_hosts() {
    return std::ranges::any_of(system_folders(), [](const std::string& folder) {
        return !lines_of(folder + "/openmpi-default-hostfile").empty();
    });
}

bool takes(const std::string& setting, const std::string& component) {
    const bool excluding = setting.starts_with('^');
    std::istringstream names(setting.substr(excluding ? 1 : 0));
    bool listed = false;
    for (std::string name; std::getline(names, name, ',');) listed = listed || name == component;
    return listed != excluding;
}

}  // namespace rrfp
