#include "adapters/jobs/report/machine.h"

#include <fstream>
#include <sched.h>
#include <unistd.h>

#include <sys/utsname.h>

namespace rrfp {
namespace {

std::string cpu_model() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const auto colon = line.find(':');
        if (line.rfind("model name", 0) == 0 && colon + 2 < line.size()) {
            return line.substr(colon + 2);
        }
    }
    return {};
}

int usable_cores() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 0;
}

}  // namespace

Machine this_machine() {
    Machine machine{.cpu = cpu_model(), .cores = usable_cores()};
    utsname names{};
    if (uname(&names) == 0) {
        machine.host = names.nodename;
        machine.kernel = std::string(names.sysname) + " " + names.release;
    }
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGE_SIZE);
    if (pages > 0 && page_bytes > 0) machine.memory_bytes = std::int64_t{pages} * page_bytes;
    return machine;
}

nlohmann::json to_json(const Machine& machine) {
    return {{"host", machine.host},
            {"cpu", machine.cpu},
            {"cores", machine.cores},
            {"kernel", machine.kernel},
            {"memory_bytes", machine.memory_bytes}};
}

}  // namespace rrfp
