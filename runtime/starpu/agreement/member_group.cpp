#include "runtime/starpu/agreement/member_group.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/mpi/mpi_call.h"

namespace rrfp {
namespace {

/// Tells the groups that are made at the same time apart from other uses of MPI_Comm_create_group.
constexpr int creation_tag = 0x5252;

void check(const std::vector<int>& world_ranks) {
    int rank = 0;
    int ranks = 0;
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
    const bool exist =
        std::ranges::all_of(world_ranks, [ranks](int each) { return each >= 0 && each < ranks; });
    const std::set<int> distinct(world_ranks.begin(), world_ranks.end());
    if (!exist || distinct.size() != world_ranks.size() || !distinct.contains(rank)) {
        throw std::invalid_argument(fmt::format(
            "the members of an agreement at rank {} are {}; give distinct ranks of the {} there "
            "are, this one among them",
            rank, fmt::join(world_ranks, ", "), ranks));
    }
}

/// A group that is freed with its scope.
struct Group {
    MPI_Group value = MPI_GROUP_NULL;
    ~Group() {
        if (value != MPI_GROUP_NULL) MPI_Group_free(&value);
    }
};

}  // namespace

MemberGroup::MemberGroup(const std::vector<int>& world_ranks, bool apart)
    : node_ranks_(world_ranks.size()) {
    check(world_ranks);
    Group world;
    Group members;
    check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world.value), "MPI_Comm_group");
    check_mpi(MPI_Group_incl(world.value, size(), world_ranks.data(), &members.value),
              "MPI_Group_incl");
    check_mpi(MPI_Comm_create_group(MPI_COMM_WORLD, members.value, creation_tag, &communicator_),
              "MPI_Comm_create_group");
    check_mpi(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(communicator_, &member_), "MPI_Comm_rank");
    find_neighbours(apart);
}

MemberGroup::~MemberGroup() {
    MPI_Comm_free(&node_);
    MPI_Comm_free(&communicator_);
}

bool MemberGroup::share_memory() const {
    return std::ranges::none_of(node_ranks_, [](int rank) { return rank < 0; });
}

void MemberGroup::find_neighbours(bool apart) {
    const int code = apart ? MPI_Comm_split(communicator_, member_, 0, &node_)
                           : MPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, member_,
                                                 MPI_INFO_NULL, &node_);
    check_mpi(code, apart ? "MPI_Comm_split" : "MPI_Comm_split_type(MPI_COMM_TYPE_SHARED)");
    Group members;
    Group neighbours;
    check_mpi(MPI_Comm_group(communicator_, &members.value), "MPI_Comm_group");
    check_mpi(MPI_Comm_group(node_, &neighbours.value), "MPI_Comm_group");
    std::vector<int> all(node_ranks_.size());
    std::iota(all.begin(), all.end(), 0);
    check_mpi(MPI_Group_translate_ranks(members.value, size(), all.data(), neighbours.value,
                                        node_ranks_.data()),
              "MPI_Group_translate_ranks");
    std::ranges::replace(node_ranks_, MPI_UNDEFINED, -1);
}

}  // namespace rrfp
