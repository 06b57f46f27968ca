#include "runtime/mpi/mpi_session.h"

#include "runtime/mpi/mpi_call.h"
#include "runtime/mpi/mpi_wait.h"

namespace rrfp {
MpiSession::MpiSession() {
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &world_), "MPI_Comm_dup");
    check_mpi(MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(world_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(world_, &ranks_), "MPI_Comm_size");
    check_mpi(MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node_),
              "MPI_Comm_split_type(MPI_COMM_TYPE_SHARED)");
    int on_node = 0;
    check_mpi(MPI_Comm_size(node_, &on_node), "MPI_Comm_size");
    check_mpi(MPI_Comm_rank(node_, &node_rank_), "MPI_Comm_rank");

    world_ranks_.resize(static_cast<std::size_t>(on_node));
    check_mpi(MPI_Allgather(&rank_, 1, MPI_INT, world_ranks_.data(), 1, MPI_INT, node_),
              "MPI_Allgather");
    node_ranks_.assign(static_cast<std::size_t>(ranks_), -1);
    for (std::size_t i = 0; i < world_ranks_.size(); ++i) {
        node_ranks_[static_cast<std::size_t>(world_ranks_[i])] = static_cast<int>(i);
    }
}

MpiSession::~MpiSession() {
    MPI_Comm_free(&node_);
    MPI_Comm_free(&world_);
}

int MpiSession::node_rank_of(int world_rank) const {
    return node_ranks_.at(static_cast<std::size_t>(world_rank));
}

int MpiSession::world_rank_of(int node_rank) const {
    return world_ranks_.at(static_cast<std::size_t>(node_rank));
}

}  // namespace rrfp
