#pragma once

#include <mpi.h>

namespace rrfp {

/// A communicator that is freed with its scope, which is collective over its ranks.
class OwnedCommunicator {
  public:
    OwnedCommunicator() = default;
    ~OwnedCommunicator() {
        if (handle_ != MPI_COMM_NULL) MPI_Comm_free(&handle_);
    }
    OwnedCommunicator(const OwnedCommunicator&) = delete;
    OwnedCommunicator& operator=(const OwnedCommunicator&) = delete;

    MPI_Comm get() const { return handle_; }
    /// Where an MPI call puts the communicator that it makes.
    MPI_Comm* place() { return &handle_; }

  private:
    MPI_Comm handle_ = MPI_COMM_NULL;
};

/// A group of ranks that is freed with its scope.
class OwnedGroup {
  public:
    OwnedGroup() = default;
    ~OwnedGroup() {
        if (handle_ != MPI_GROUP_NULL) MPI_Group_free(&handle_);
    }
    OwnedGroup(const OwnedGroup&) = delete;
    OwnedGroup& operator=(const OwnedGroup&) = delete;

    MPI_Group get() const { return handle_; }
    MPI_Group* place() { return &handle_; }

  private:
    MPI_Group handle_ = MPI_GROUP_NULL;
};

}  // namespace rrfp
