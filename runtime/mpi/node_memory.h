#pragma once

#include <cstddef>
#include <memory>
#include <mpi.h>
#include <new>
#include <type_traits>
#include <vector>

namespace rrfp {

/// A segment that the ranks of one node share, zeroed: to each rank as many bytes as it asks for.
///
/// It comes from MPI_Win_allocate_shared, so it has no name: nothing is left behind whatever way a
/// rank ends, and jobs on one node stay apart. Construction and destruction are collective over
/// the node; nobody may touch the segment after it entered destruction.
class NodeMemory {
  public:
    /// Throws std::runtime_error, at every rank, when one of them cannot have its part.
    NodeMemory(MPI_Comm node, std::size_t own_bytes);
    ~NodeMemory();
    NodeMemory(const NodeMemory&) = delete;
    NodeMemory& operator=(const NodeMemory&) = delete;

    void* of(int node_rank) const { return parts_[static_cast<std::size_t>(node_rank)]; }
    int ranks() const { return static_cast<int>(parts_.size()); }

  private:
    void free();

    MPI_Win window_ = MPI_WIN_NULL;
    std::vector<void*> parts_;  // [node rank]
};

/// One T for each rank of the node, seen by all of them. T must be usable by several processes at
/// once (lock-free atomics) and mean "nothing yet" when all its bytes are zero.
template <typename T>
class NodeArray {
    static_assert(std::is_standard_layout_v<T> && std::is_trivially_destructible_v<T>);

  public:
    explicit NodeArray(MPI_Comm node) : memory_(node, sizeof(T)) {}

    T& operator[](int node_rank) const {
        return *std::launder(static_cast<T*>(memory_.of(node_rank)));
    }
    int ranks() const { return memory_.ranks(); }

  private:
    NodeMemory memory_;
};

}  // namespace rrfp
