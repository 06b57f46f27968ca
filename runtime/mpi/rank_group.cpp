#include "runtime/mpi/rank_group.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/mpi/mpi_call.h"

namespace rrfp {
namespace {

void check_members(std::span<const int> world_ranks, std::string_view name) {
    int own = 0;
    int ranks = 0;
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &own), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
    std::vector<int> sorted(world_ranks.begin(), world_ranks.end());
    std::ranges::sort(sorted);
    const auto refuse = [&](const std::string& why) {
        throw std::invalid_argument(
            fmt::format("{} of world ranks {}: {}; give distinct ranks, the one that makes it "
                        "among them",
                        name, world_ranks, why));
    };
    if (!std::ranges::binary_search(sorted, own)) {
        refuse(fmt::format("rank {}, which makes it, is not in it", own));
    }
    if (sorted.front() < 0 || sorted.back() >= ranks) {
        refuse(fmt::format("the world has ranks 0 to {}", ranks - 1));
    }
    if (std::ranges::adjacent_find(sorted) != sorted.end()) refuse("a rank is given twice");
}

}  // namespace

RankGroup::RankGroup(std::span<const int> world_ranks, std::string_view name, int creation_tag)
    : size_(static_cast<int>(world_ranks.size())) {
    check_members(world_ranks, name);
    OwnedGroup world;
    OwnedGroup members;
    check_mpi(MPI_Comm_group(MPI_COMM_WORLD, world.place()), "MPI_Comm_group");
    check_mpi(MPI_Group_incl(world.get(), size_, world_ranks.data(), members.place()),
              "MPI_Group_incl");
    check_mpi(
        MPI_Comm_create_group(MPI_COMM_WORLD, members.get(), creation_tag, communicator_.place()),
        "MPI_Comm_create_group");
    check_mpi(MPI_Comm_set_errhandler(communicator(), MPI_ERRORS_RETURN),
              "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(communicator(), &rank_), "MPI_Comm_rank");
}

}  // namespace rrfp
