#include "adapters/jobs/launch/find_program.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace rrfp {
namespace {

bool is_program(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<std::string> find_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string program = (folder.empty() ? "." : folder) + "/" + name;
        if (is_program(program)) return program;
    }
    return std::nullopt;
}

}  // namespace rrfp
