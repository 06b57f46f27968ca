#include "adapters/collectives/world.h"

#include <cstdint>
#include <limits>
#include <mpi.h>
#include <numeric>
#include <stdexcept>

#include "runtime/mpi/mpi_call.h"
#include "runtime/mpi/mpi_wait.h"

namespace rrfp {
namespace {

int world_size() {
    int size = 0;
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
    return size;
}

std::vector<int> offsets_of(const std::vector<int>& lengths) {
    std::vector<int> offsets(lengths.size());
    std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0);
    return offsets;
}

std::vector<std::string> cut(const std::string& all, const std::vector<int>& lengths,
                             const std::vector<int>& offsets) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        texts.push_back(
            all.substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(lengths[i])));
    }
    return texts;
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

std::vector<std::string> all_gather(const std::string& text) {
    const auto ranks = static_cast<std::size_t>(world_size());
    const auto length = static_cast<int>(text.size());
    std::vector<int> lengths(ranks);
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(
        MPI_Iallgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD, &request),
        "MPI_Iallgather");
    wait_napping(request);
    const std::vector<int> offsets = offsets_of(lengths);
    std::string all(static_cast<std::size_t>(offsets.back() + lengths.back()), '\0');
    check_mpi(MPI_Iallgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(),
                              offsets.data(), MPI_CHAR, MPI_COMM_WORLD, &request),
              "MPI_Iallgatherv");
    wait_napping(request);
    return cut(all, lengths, offsets);
}

std::string broadcast(std::string text) {
    auto size = static_cast<std::uint64_t>(text.size());
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request), "MPI_Ibcast");
    wait_napping(request);
    if (size > std::numeric_limits<int>::max()) {
        throw std::runtime_error("rank 0 has a text of " + std::to_string(size) +
                                 " bytes for all, and MPI counts in an int");
    }
    text.resize(size);
    check_mpi(
        MPI_Ibcast(text.data(), static_cast<int>(size), MPI_CHAR, 0, MPI_COMM_WORLD, &request),
        "MPI_Ibcast");
    wait_napping(request);
    return text;
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

    const std::vector<int> offsets = offsets_of(lengths);
    std::string all(rank == 0 ? static_cast<std::size_t>(offsets.back() + lengths.back()) : 0,
                    '\0');
    check_mpi(MPI_Igatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(),
                           offsets.data(), MPI_CHAR, 0, MPI_COMM_WORLD, &request),
              "MPI_Igatherv");
    wait_napping(request);
    return rank == 0 ? cut(all, lengths, offsets) : std::vector<std::string>();
}

}  // namespace rrfp
