#include "adapters/jobs/run/rank_world.h"

#include <vector>

#include <fmt/format.h>

#include "adapters/collectives/mpi_collectives.h"
#include "runtime/core/keyed_random.h"
#include "runtime/core/name_hash.h"

namespace rrfp {
namespace {

std::unique_ptr<Collectives> make_group(const char* name, const std::vector<int>& world_ranks,
                                        double wait_seconds) {
    if (world_ranks.size() == 1) return nullptr;
    return make_mpi_collectives(
        world_ranks, {.name = fmt::format("{} group", name), .wait_seconds = wait_seconds});
}

/// The replicas of a rank have the same chunks, and so make as many groups.
std::vector<std::unique_ptr<Collectives>> make_data_groups(const Job& job, const Layout& layout,
                                                           int world_rank) {
    std::vector<std::unique_ptr<Collectives>> groups;
    if (layout.data_ranks() == 1) return groups;
    const int chunks = job.placement().chunks(layout.place(world_rank).pipeline);
    for (int chunk = 0; chunk < chunks; ++chunk) {
        groups.push_back(make_group("data", layout.data_group(world_rank), job.watchdog_seconds));
    }
    return groups;
}

/// Every replica and tensor index has a pair of its own, since each holds other bits of the sum.
std::unique_ptr<Collectives> make_tied_group(const Job& job, const Layout& layout, int world_rank) {
    if (job.synthetic() || !job.model.tied_embeddings) return nullptr;
    const Placement placement = job.placement();
    const std::vector<int> ranks = layout.pipeline_group(world_rank);
    const int first = ranks[placement.rank_of(0)];
    const int last = ranks[placement.rank_of(placement.stages() - 1)];
    if (first == last || (world_rank != first && world_rank != last)) return nullptr;
    // No time limit: the last stage waits for the backwards of all others, however long these are.
    return make_group("tied embeddings'", {first, last}, /*wait_seconds=*/0);
}

/// The first rank of every group keeps the job's seed, so that it draws what a rank alone would.
std::uint64_t own_seed(std::uint64_t seed, std::uint64_t index) {
    return index == 0 ? seed : keyed_bits({seed, name_hash("jitter of a rank"), index});
}

}  // namespace

RankWorld::RankWorld(const Job& job, int world_rank)
    : layout_(job.layout()),
      rank_(world_rank),
      tensor_(make_group("tensor", layout_.tensor_group(world_rank), job.watchdog_seconds)),
      data_(make_data_groups(job, layout_, world_rank)),
      tied_(make_tied_group(job, layout_, world_rank)) {}

RankGroups RankWorld::groups() const {
    RankGroups groups{.tensor = tensor_.get(), .data = {}, .tied = tied_.get()};
    for (const auto& group : data_) groups.data.push_back(group.get());
    return groups;
}

Jitter task_jitter(const Job& job, const RankPlace& place) {
    Jitter jitter = job.jitter;
    jitter.seed = own_seed(jitter.seed, static_cast<std::uint64_t>(place.data));
    return jitter;
}

Jitter message_jitter(const Job& job, const RankPlace& place) {
    Jitter jitter = job.jitter;
    const int index = place.data * job.parallel.tensor + place.tensor;
    jitter.seed = own_seed(jitter.seed, static_cast<std::uint64_t>(index));
    return jitter;
}

}  // namespace rrfp
