#include "adapters/jobs/launch/launcher.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include <sys/ioctl.h>

#include "adapters/jobs/launch/launch.h"
#include "adapters/jobs/launch/mpi_world.h"

namespace rrfp {
namespace {

int terminal_columns() {
    winsize size{};
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string this_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

int launch_ranks(const Job& job, const std::vector<std::string>& arguments,
                 const std::string& input) {
    setenv("RRFP_TERMINAL_COLUMNS", std::to_string(terminal_columns()).c_str(), 1);
    return Launch(world_size(job), job.watchdog_seconds, arguments, input).run();
}

}  // namespace rrfp
