#include "adapters/command/verbs/toolchain_facts.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <link.h>
#include <string>
#include <unistd.h>

#include "adapters/jobs/launch/find_program.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

Fact program_fact(const char* name, Health missing, const char* remedy) {
    if (const auto path = find_program(name)) return {.name = name, .value = *path};
    return {.name = name, .value = "not in PATH", .health = missing, .remedy = remedy};
}

/// The path of the loaded library whose file name begins with `name`; empty without one.
fs::path loaded_library(std::string_view name) {
    struct Search {
        std::string_view name;
        fs::path found;
    } search{name, {}};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& wanted = *static_cast<Search*>(data);
            const fs::path path = info->dlpi_name;
            if (!path.filename().string().starts_with(wanted.name)) return 0;
            wanted.found = path;
            return 1;
        },
        &search);
    return search.found;
}

/// The version that the Python package torch, whose libraries these are, gives itself.
std::string torch_version(const fs::path& library) {
    std::ifstream file(library.parent_path().parent_path() / "version.py");
    for (std::string line; std::getline(file, line);) {
        const auto quote = line.find('\'');
        if (line.starts_with("__version__") && quote != std::string::npos) {
            return line.substr(quote + 1, line.rfind('\'') - quote - 1);
        }
    }
    return "version unknown";
}

Fact torch_fact() {
    const fs::path library = loaded_library("libtorch_cpu.so");
    if (library.empty()) {
        return {.name = "libtorch",
                .value = "not loaded",
                .health = Health::fail,
                .remedy = "gpt jobs need it: run scripts/setup and build again"};
    }
    return {.name = "libtorch", .value = torch_version(library) + ", " + library.string()};
}

std::string python_path() {
    if (const char* chosen = std::getenv("RRFP_PYTHON")) {
        return fs::is_directory(chosen) ? fs::path(chosen) / "bin/python" : fs::path(chosen);
    }
    const char* cache = std::getenv("RRFP_CACHE");
    const char* home = std::getenv("HOME");
    const fs::path folder = cache ? fs::path(cache) : fs::path(home ? home : ".") / ".cache/rrfp";
    return folder / "python/bin/python";
}

Fact python_fact() {
    const std::string path = python_path();
    if (access(path.c_str(), X_OK) == 0) return {.name = "python", .value = path};
    return {.name = "python",
            .value = path + " is missing",
            .health = Health::warn,
            .remedy = "tests and benches need it: run scripts/setup, or set RRFP_PYTHON"};
}

}  // namespace

std::vector<Fact> examine_toolchain() {
    return {
        program_fact("mpirun", Health::fail, "install openmpi-bin; rrfp run starts ranks by it"),
        torch_fact(), python_fact(),
        program_fact("vite", Health::warn, "install vite to look at traces"),
        program_fact("rsvg-convert", Health::warn,
                     "install librsvg2-bin to turn timelines into PNG")};
}

}  // namespace rrfp
