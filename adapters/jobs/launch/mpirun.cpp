#include "adapters/jobs/launch/mpirun.h"

#include <cstdlib>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>

#include "adapters/jobs/launch/find_program.h"
#include "runtime/core/shown_text.h"
#include "runtime/system/child_process.h"

namespace rrfp {
namespace {

constexpr double patience_s = 20;

/// What a program said, on one line.
std::string quote(std::string text) {
    constexpr const char* blanks = " \n";
    text.erase(0, text.find_first_not_of(blanks));
    text.erase(text.find_last_not_of(blanks) + 1);
    return text.empty() ? "nothing" : shown(text, 300);
}

std::string prefix_advice() {
    const char* prefix = std::getenv("OPAL_PREFIX");
    if (!prefix) return "Look whether mpirun -n 2 hostname works here";
    return fmt::format("OPAL_PREFIX={} says where Open MPI lies: unset it, or correct it", prefix);
}

[[noreturn]] void refuse(const std::string& program, const ProgramResult& answer) {
    if (answer.ran_late) {
        throw std::runtime_error(fmt::format("{} --version gave no answer within {:.0f} s. {}",
                                             program, patience_s, prefix_advice()));
    }
    if (answer.exit_code != 0) {
        throw std::runtime_error(fmt::format(
            "{} does not run here: {} --version ended with {} and "
            "said: {}. {}",
            program, "mpirun", answer.exit_code, quote(answer.output), prefix_advice()));
    }
    throw std::runtime_error(fmt::format(
        "{}, the first mpirun in PATH, is not Open MPI's; it says: {}. Install Open MPI "
        "(openmpi-bin on Debian), or put its folder before this one in PATH",
        program, quote(answer.output)));
}

}  // namespace

std::string find_mpirun() {
    const auto program = find_program("mpirun");
    if (!program) {
        throw std::runtime_error(
            "mpirun is not in PATH; install Open MPI (openmpi-bin on Debian), or add its folder");
    }
    const ProgramResult answer = run_program({*program, "--version"}, patience_s);
    const bool open_mpi = answer.output.find("Open MPI") != std::string::npos ||
                          answer.output.find("OpenRTE") != std::string::npos;
    if (answer.exit_code != 0 || answer.ran_late || !open_mpi) refuse(*program, answer);
    return *program;
}

std::vector<std::string> mpirun_command(const std::string& mpirun, int ranks,
                                        const std::vector<std::string>& arguments) {
    // Ranks may outnumber cores, so they are neither bound nor refused; the runtime binds its
    // worker where they fit.
    std::vector<std::string> command = {mpirun, "--bind-to", "none", "--oversubscribe"};
    if (getuid() == 0) command.emplace_back("--allow-run-as-root");
    command.insert(command.end(), {"-n", std::to_string(ranks)});
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

}  // namespace rrfp
