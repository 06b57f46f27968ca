#pragma once

#include <memory>

#include "adapters/collectives/elements.h"

namespace rrfp {

enum class Reduction { sum, max };

/// A collective under way. Its buffers belong to it until `finished` or `wait` has said that it is
/// done; destroyed before, it leaves them in use for ever. Used by one thread at a time.
class Operation {
  public:
    virtual ~Operation() = default;

    /// Moves it on, and says whether it is done. Never blocks.
    virtual bool finished() = 0;
    /// Returns once it is done. Sleeps rather than spins.
    virtual void wait() = 0;
};

/// Collectives over a group of world ranks: one object a group and rank. Every rank of the group
/// starts the same collectives in the same order, with the same counts; they may overlap.
///
/// A reduction gives the same bits on every rank of the group, and the same for the same input each
/// time: parameters that every rank updates by itself stay equal.
///
/// A backend implements the four `start_` functions and joins tests/collectives. Errors: counts,
/// types or roots that do not fit are std::invalid_argument before anything is sent; what the
/// backend reports, or waiting beyond its time limit, is std::runtime_error that names the group.
class Collectives {
  public:
    virtual ~Collectives() = default;

    /// This rank's place in the group.
    virtual int rank() const = 0;
    virtual int size() const = 0;

    /// In place.
    [[nodiscard]] virtual std::unique_ptr<Operation> start_all_reduce(Elements values,
                                                                      Reduction reduction) = 0;
    /// `all`: every rank's `mine`, in the order of the group.
    [[nodiscard]] virtual std::unique_ptr<Operation> start_all_gather(ConstElements mine,
                                                                      Elements all) = 0;
    /// `mine`: of as many equal parts as the group has ranks, the one at this rank's place,
    /// reduced.
    [[nodiscard]] virtual std::unique_ptr<Operation> start_reduce_scatter(ConstElements all,
                                                                          Elements mine,
                                                                          Reduction reduction) = 0;
    /// In place, from the rank at `root` in the group.
    [[nodiscard]] virtual std::unique_ptr<Operation> start_broadcast(Elements values, int root) = 0;

    void all_reduce(Elements values, Reduction reduction) {
        start_all_reduce(values, reduction)->wait();
    }
    void all_gather(ConstElements mine, Elements all) { start_all_gather(mine, all)->wait(); }
    void reduce_scatter(ConstElements all, Elements mine, Reduction reduction) {
        start_reduce_scatter(all, mine, reduction)->wait();
    }
    void broadcast(Elements values, int root) { start_broadcast(values, root)->wait(); }
};

}  // namespace rrfp
