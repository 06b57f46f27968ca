#include "adapters/command/common/torch_program.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>

#include "adapters/jobs/launch/launcher.h"

namespace rrfp {
namespace {

std::filesystem::path torch_path() {
    return std::filesystem::path(this_program()).parent_path() / "rrfp-torch";
}

std::string torch_program() {
    const auto program = torch_path();
    if (access(program.c_str(), X_OK) != 0) {
        throw std::runtime_error(
            fmt::format("{}: {}; jobs of kind gpt run in it: build it, or install both programs "
                        "into one folder",
                        program.string(), std::strerror(errno)));
    }
    return program.string();
}

}  // namespace

void TorchProgram::require() const {
    if (make_trainer) return;
    const std::string program = torch_program();
    execv(program.c_str(), arguments);
    throw std::runtime_error(fmt::format("{}: {}", program, std::strerror(errno)));
}

void TorchProgram::prefer() const {
    if (access(torch_path().c_str(), X_OK) == 0) require();
}

std::string rank_program(const Job& job) {
    return job.synthetic() ? this_program() : torch_program();
}

}  // namespace rrfp
