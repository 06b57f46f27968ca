#include "adapters/collectives/mpi_collectives.h"

#include <algorithm>
#include <limits>
#include <mpi.h>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/collectives/mpi_operation.h"
#include "runtime/mpi/mpi_call.h"

namespace rrfp {
namespace {

/// Tells groups being made from other messages among the same ranks.
constexpr int creation_tag = 7301;

MPI_Datatype mpi_type(ElementType type) {
    switch (type) {
        case ElementType::float32:
            return MPI_FLOAT;
        case ElementType::float64:
            return MPI_DOUBLE;
        case ElementType::int64:
            return MPI_INT64_T;
    }
    throw std::logic_error("an element type without an MPI type");
}

MPI_Op mpi_reduction(Reduction reduction) {
    return reduction == Reduction::sum ? MPI_SUM : MPI_MAX;
}

void check_members(std::span<const int> world_ranks, const std::string& name) {
    int own = 0;
    int ranks = 0;
    check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &own), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
    std::vector<int> sorted(world_ranks.begin(), world_ranks.end());
    std::ranges::sort(sorted);
    const auto refuse = [&](const std::string& why) {
        throw std::invalid_argument(
            fmt::format("{} of world ranks {}: {}", name, world_ranks, why));
    };
    if (!std::ranges::binary_search(sorted, own)) {
        refuse(fmt::format("rank {}, which makes it, is not in it", own));
    }
    if (sorted.front() < 0 || sorted.back() >= ranks) {
        refuse(fmt::format("the world has ranks 0 to {}", ranks - 1));
    }
    if (std::ranges::adjacent_find(sorted) != sorted.end()) refuse("a rank is given twice");
}

/// A communicator of its own, so that groups and StarPU-MPI stay apart.
class Communicator {
  public:
    explicit Communicator(std::span<const int> world_ranks) {
        MPI_Group world = MPI_GROUP_NULL;
        MPI_Group members = MPI_GROUP_NULL;
        check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
        check_mpi(MPI_Group_incl(world, static_cast<int>(world_ranks.size()), world_ranks.data(),
                                 &members),
                  "MPI_Group_incl");
        check_mpi(MPI_Comm_create_group(MPI_COMM_WORLD, members, creation_tag, &handle_),
                  "MPI_Comm_create_group");
        check_mpi(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        check_mpi(MPI_Group_free(&members), "MPI_Group_free");
        check_mpi(MPI_Group_free(&world), "MPI_Group_free");
    }
    ~Communicator() { MPI_Comm_free(&handle_); }
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    MPI_Comm get() const { return handle_; }

  private:
    MPI_Comm handle_ = MPI_COMM_NULL;
};

class MpiCollectives : public Collectives {
  public:
    MpiCollectives(std::span<const int> world_ranks, MpiGroupOptions options)
        : options_(std::move(options)),
          members_(fmt::format("{}", world_ranks)),
          size_(static_cast<int>(world_ranks.size())),
          communicator_(world_ranks) {
        check_mpi(MPI_Comm_rank(communicator_.get(), &rank_), "MPI_Comm_rank");
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }

    std::unique_ptr<Operation> start_all_reduce(Elements values, Reduction reduction) override {
        return start("MPI_Iallreduce", values, [&](int count, MPI_Request* request) {
            return MPI_Iallreduce(MPI_IN_PLACE, values.data, count, mpi_type(values.type),
                                  mpi_reduction(reduction), communicator_.get(), request);
        });
    }

    std::unique_ptr<Operation> start_all_gather(ConstElements mine, Elements all) override {
        check_parts("all-gather", mine, all);
        return start("MPI_Iallgather", mine, [&](int count, MPI_Request* request) {
            const MPI_Datatype type = mpi_type(mine.type);
            return MPI_Iallgather(mine.data, count, type, all.data, count, type,
                                  communicator_.get(), request);
        });
    }

    std::unique_ptr<Operation> start_reduce_scatter(ConstElements all, Elements mine,
                                                    Reduction reduction) override {
        check_parts("reduce-scatter", mine, all);
        return start("MPI_Ireduce_scatter_block", mine, [&](int count, MPI_Request* request) {
            return MPI_Ireduce_scatter_block(all.data, mine.data, count, mpi_type(mine.type),
                                             mpi_reduction(reduction), communicator_.get(),
                                             request);
        });
    }

    std::unique_ptr<Operation> start_broadcast(Elements values, int root) override {
        if (root < 0 || root >= size_) {
            throw std::invalid_argument(
                fmt::format("broadcast over {}: root {} is not one of 0 to "
                            "{}",
                            group(), root, size_ - 1));
        }
        return start("MPI_Ibcast", values, [&](int count, MPI_Request* request) {
            return MPI_Ibcast(values.data, count, mpi_type(values.type), root, communicator_.get(),
                              request);
        });
    }

  private:
    std::string group() const {
        return fmt::format("{} of world ranks {}", options_.name, members_);
    }

    void check_parts(const char* name, ConstElements mine, ConstElements all) const {
        const auto parts = static_cast<std::size_t>(size_);
        if (mine.type == all.type && all.count == parts * mine.count) return;
        throw std::invalid_argument(fmt::format(
            "{} over {}: a part of {} and a whole of {}; the "
            "whole must be {} parts of one type",
            name, group(), describe(mine.type, mine.count), describe(all.type, all.count), parts));
    }

    template <class Call>
    std::unique_ptr<Operation> start(const char* name, ConstElements part, Call&& call) {
        std::string what =
            fmt::format("{} of {} over {}", name, describe(part.type, part.count), group());
        if (part.count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
            throw std::invalid_argument(what + ": MPI counts up to 2147483647; cut it in parts");
        }
        MPI_Request request = MPI_REQUEST_NULL;
        check_mpi(call(static_cast<int>(part.count), &request), what);
        return std::make_unique<MpiOperation>(request, std::move(what), options_.wait_seconds);
    }

    MpiGroupOptions options_;
    std::string members_;
    int rank_ = 0;
    int size_;
    Communicator communicator_;
};

}  // namespace

std::unique_ptr<Collectives> make_mpi_collectives(std::span<const int> world_ranks,
                                                  MpiGroupOptions options) {
    check_members(world_ranks, options.name);
    return std::make_unique<MpiCollectives>(world_ranks, std::move(options));
}

}  // namespace rrfp
