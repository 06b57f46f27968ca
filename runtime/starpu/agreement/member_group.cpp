#include "runtime/starpu/agreement/member_group.h"

#include <algorithm>
#include <numeric>

#include "runtime/mpi/mpi_call.h"

namespace rrfp {
namespace {

/// See RankGroup; the groups of collectives have another.
constexpr int creation_tag = 0x5252;

}  // namespace

MemberGroup::MemberGroup(const std::vector<int>& world_ranks, bool apart)
    : ranks_(world_ranks, "an agreement", creation_tag), node_ranks_(world_ranks.size()) {
    find_neighbours(apart);
}

bool MemberGroup::share_memory() const {
    return std::ranges::none_of(node_ranks_, [](int rank) { return rank < 0; });
}

void MemberGroup::find_neighbours(bool apart) {
    const int code = apart ? MPI_Comm_split(communicator(), member(), 0, node_.place())
                           : MPI_Comm_split_type(communicator(), MPI_COMM_TYPE_SHARED, member(),
                                                 MPI_INFO_NULL, node_.place());
    check_mpi(code, apart ? "MPI_Comm_split" : "MPI_Comm_split_type(MPI_COMM_TYPE_SHARED)");
    OwnedGroup members;
    OwnedGroup neighbours;
    check_mpi(MPI_Comm_group(communicator(), members.place()), "MPI_Comm_group");
    check_mpi(MPI_Comm_group(node(), neighbours.place()), "MPI_Comm_group");
    std::vector<int> all(node_ranks_.size());
    std::iota(all.begin(), all.end(), 0);
    check_mpi(MPI_Group_translate_ranks(members.get(), size(), all.data(), neighbours.get(),
                                        node_ranks_.data()),
              "MPI_Group_translate_ranks");
    std::ranges::replace(node_ranks_, MPI_UNDEFINED, -1);
}

}  // namespace rrfp
