#include "adapters/jobs/launch/mpi_world.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "adapters/jobs/job/bad_input.h"

namespace rrfp {
namespace {

std::optional<int> number_in_environment(const char* name) {
    const char* text = std::getenv(name);
    if (!text) return std::nullopt;
    int number = 0;
    const char* end = text + std::strlen(text);
    const auto parsed = std::from_chars(text, end, number);
    return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(number) : std::nullopt;
}

}  // namespace

MpiWorld detect_mpi_world() {
    const auto size = number_in_environment("OMPI_COMM_WORLD_SIZE");
    const auto rank = number_in_environment("OMPI_COMM_WORLD_RANK");
    if (!size || !rank) return {};
    const auto columns = number_in_environment("RRFP_TERMINAL_COLUMNS");
    return {.present = true,
            .rank = *rank,
            .size = *size,
            .launched_by_us = columns.has_value(),
            .terminal_columns = columns.value_or(0)};
}

int world_size(const Job& job) { return job.layout().world_size(); }

void check_world(const Job& job, const MpiWorld& world) {
    const int wanted = world_size(job);
    if (!world.present || world.size == wanted) return;
    throw BadInput(fmt::format(
        "started under MPI with {} ranks, but parallel.pipeline x tensor x data = {} x {} x {} "
        "needs {}; use mpirun -n {}, or start rrfp run without mpirun",
        world.size, job.parallel.pipeline, job.parallel.tensor, job.parallel.data, wanted, wanted));
}

}  // namespace rrfp
