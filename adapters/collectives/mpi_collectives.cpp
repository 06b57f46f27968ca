#include "adapters/collectives/mpi_collectives.h"

#include <limits>
#include <mpi.h>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/collectives/mpi_operation.h"
#include "runtime/mpi/mpi_call.h"
#include "runtime/mpi/rank_group.h"

namespace rrfp {
namespace {

/// See RankGroup; agreements have another.
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

class MpiCollectives : public Collectives {
  public:
    MpiCollectives(std::span<const int> world_ranks, MpiGroupOptions options)
        : options_(std::move(options)),
          members_(fmt::format("{}", world_ranks)),
          ranks_(world_ranks, options_.name, creation_tag) {}

    int rank() const override { return ranks_.rank(); }
    int size() const override { return ranks_.size(); }

    std::unique_ptr<Operation> start_all_reduce(Elements values, Reduction reduction) override {
        return start("MPI_Iallreduce", values, [&](int count, MPI_Request* request) {
            return MPI_Iallreduce(MPI_IN_PLACE, values.data, count, mpi_type(values.type),
                                  mpi_reduction(reduction), ranks_.communicator(), request);
        });
    }

    std::unique_ptr<Operation> start_all_gather(ConstElements mine, Elements all) override {
        check_parts("all-gather", mine, all);
        return start("MPI_Iallgather", mine, [&](int count, MPI_Request* request) {
            const MPI_Datatype type = mpi_type(mine.type);
            return MPI_Iallgather(mine.data, count, type, all.data, count, type,
                                  ranks_.communicator(), request);
        });
    }

    std::unique_ptr<Operation> start_reduce_scatter(ConstElements all, Elements mine,
                                                    Reduction reduction) override {
        check_parts("reduce-scatter", mine, all);
        return start("MPI_Ireduce_scatter_block", mine, [&](int count, MPI_Request* request) {
            return MPI_Ireduce_scatter_block(all.data, mine.data, count, mpi_type(mine.type),
                                             mpi_reduction(reduction), ranks_.communicator(),
                                             request);
        });
    }

    std::unique_ptr<Operation> start_broadcast(Elements values, int root) override {
        if (root < 0 || root >= size()) {
            throw std::invalid_argument(
                fmt::format("broadcast over {}: root {} is not one of 0 to "
                            "{}",
                            group(), root, size() - 1));
        }
        return start("MPI_Ibcast", values, [&](int count, MPI_Request* request) {
            return MPI_Ibcast(values.data, count, mpi_type(values.type), root,
                              ranks_.communicator(), request);
        });
    }

  private:
    std::string group() const {
        return fmt::format("{} of world ranks {}", options_.name, members_);
    }

    void check_parts(const char* name, ConstElements mine, ConstElements all) const {
        const auto parts = static_cast<std::size_t>(size());
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
    RankGroup ranks_;
};

}  // namespace

std::unique_ptr<Collectives> make_mpi_collectives(std::span<const int> world_ranks,
                                                  MpiGroupOptions options) {
    return std::make_unique<MpiCollectives>(world_ranks, std::move(options));
}

}  // namespace rrfp
