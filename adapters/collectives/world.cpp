#include "adapters/collectives/world.h"

#include <mpi.h>
#include <numeric>

#include "runtime/mpi/mpi_call.h"
#include "runtime/mpi/mpi_wait.h"

namespace rrfp {
namespace {

int world_size() {
    int size = 0;
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
    return size;
}

}  // namespace

std::vector<std::vector<double>> all_gather(std::span<const double> values) {
    const auto ranks = static_cast<std::size_t>(world_size());
    const auto count = static_cast<int>(values.size());
    std::vector<double> flat(ranks * values.size());
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Iallgather(values.data(), count, MPI_DOUBLE, flat.data(), count, MPI_DOUBLE,
                             MPI_COMM_WORLD, &request),
              "MPI_Iallgather");
    wait_napping(request);
    std::vector<std::vector<double>> rows;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const auto begin = flat.begin() + static_cast<std::ptrdiff_t>(rank * values.size());
        rows.emplace_back(begin, begin + count);
    }
    return rows;
}

std::vector<std::string> gather(const std::string& text) {
    const auto ranks = static_cast<std::size_t>(world_size());
    int rank = 0;
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    const auto length = static_cast<int>(text.size());
    std::vector<int> lengths(ranks);
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(
        MPI_Igather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD, &request),
        "MPI_Igather");
    wait_napping(request);

    std::vector<int> offsets(ranks);
    std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
    std::string all(rank == 0 ? static_cast<std::size_t>(offsets.back() + lengths.back()) : 0,
                    '\0');
    check_mpi(MPI_Igatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(),
                           offsets.data(), MPI_CHAR, 0, MPI_COMM_WORLD, &request),
              "MPI_Igatherv");
    wait_napping(request);
    std::vector<std::string> texts;
    for (std::size_t i = 0; rank == 0 && i < ranks; ++i) {
        texts.push_back(
            all.substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(lengths[i])));
    }
    return texts;
}

}  // namespace rrfp
