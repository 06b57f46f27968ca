#include "adapters/jobs/launch/find_program.h"

#include <cstdlib>
#include <sstream>
#include <unistd.h>

namespace rrfp {

std::optional<std::string> find_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string program = (folder.empty() ? "." : folder) + "/" + name;
        if (access(program.c_str(), X_OK) == 0) return program;
    }
    return std::nullopt;
}

}  // namespace rrfp
