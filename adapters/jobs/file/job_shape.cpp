#include "adapters/jobs/file/job_shape.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

#include "adapters/jobs/file/faults.h"
#include "adapters/jobs/job/job_size.h"

namespace rrfp {
namespace {

constexpr auto chunks_key = "parallel.chunks";
constexpr auto placement_key = "parallel.placement";

const std::vector<int>* explicit_placement(const Job& job) {
    return std::get_if<std::vector<int>>(&job.parallel.placement);
}

bool is_word(const Job& job, const char* word) {
    const auto* given = std::get_if<std::string>(&job.parallel.placement);
    return given && *given == word;
}

/// The most stages that `ranks` gives any rank.
int most_stages(const std::vector<int>& ranks) {
    std::map<int, int> held;
    int most = 1;
    for (const int rank : ranks) most = std::max(most, ++held[rank]);
    return most;
}

class ShapeCheck {
  public:
    ShapeCheck(const Job& job, const Origins& origins) : job_(job), faults_(job, origins) {}

    std::vector<std::string> run() {
        check_chunks();
        if (explicit_placement(job_)) check_list(*explicit_placement(job_));
        check_size();
        if (faults_.empty()) check_tables();
        if (faults_.empty() && !job_.synthetic()) check_layers();
        return std::move(faults_.messages());
    }

  private:
    void check_chunks() {
        const int chunks = job_.parallel.chunks;
        if (is_word(job_, "v") && chunks != 2) {
            faults_.add(chunks_key,
                        "does not fit parallel.placement = \"v\", two stages a rank; set it "
                        "to 2, or use placement \"wave\"");
        }
    }

    void check_list(const std::vector<int>& ranks) {
        try {
            const Placement placement(ranks);
            if (placement.ranks() != job_.parallel.pipeline) {
                faults_.add(placement_key,
                            "is over ranks 0 to {}, but parallel.pipeline = {}; make them "
                            "agree",
                            placement.ranks() - 1, job_.parallel.pipeline);
            }
        } catch (const std::invalid_argument& error) {
            faults_.add(placement_key, "{}", error.what());
        }
        if (job_.parallel.chunks != most_stages(ranks)) {
            faults_.add(chunks_key,
                        "but parallel.placement gives a rank {} stages; leave chunks out",
                        most_stages(ranks));
        }
    }

    /// Schedules and simulations hold every task of an iteration.
    void check_size() {
        try {
            job_.layout();
        } catch (const std::invalid_argument& error) {
            faults_.add("parallel.pipeline", "{}", error.what());
        }
        const auto* list = explicit_placement(job_);
        const std::int64_t stages =
            list ? static_cast<std::int64_t>(list->size())
                 : std::int64_t{job_.parallel.pipeline} * job_.parallel.chunks;
        constexpr std::int64_t most_pairs = 1'000'000;  // a plan of so many takes some seconds
        if (stages * job_.train.microbatches > most_pairs) {
            faults_.add("train.microbatches",
                        "on {} stages is more than {} in all; lower one of them", stages,
                        most_pairs);
        }
    }

    /// A rank's tables grow with the square of its chunks.
    void check_tables() {
        constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
        const std::int64_t bytes = rank_table_bytes(job_);
        if (bytes > most_bytes) {
            faults_.add(chunks_key,
                        "and train.microbatches = {} make tables of about {} MB at a rank, more "
                        "than {}; lower one of them",
                        job_.train.microbatches, bytes / 1'000'000, most_bytes / 1'000'000);
        }
    }

    void check_layers() {
        const std::vector<int>& each = job_.model.layers_per_stage;
        const int stages = job_.placement().stages();
        if (each.empty()) {
            if (job_.model.layers % stages != 0) {
                faults_.add("model.layers",
                            "cannot be cut into {} equal stages; make it a multiple of {}, or give "
                            "model.layers_per_stage",
                            stages, stages);
            }
            return;
        }
        if (each.size() != static_cast<std::size_t>(stages)) {
            faults_.add("model.layers_per_stage", "has {} entries for {} stages; give one a stage",
                        each.size(), stages);
        } else if (const auto sum = std::accumulate(each.begin(), each.end(), std::int64_t{0});
                   sum != job_.model.layers) {
            faults_.add("model.layers_per_stage",
                        "are {} layers in all, but model.layers = {}; make "
                        "them agree, or leave model.layers out",
                        sum, job_.model.layers);
        }
    }

    const Job& job_;
    Faults faults_;
};

}  // namespace

void fill_shape(Job& job, const Origins& origins) {
    if (!origins.given(chunks_key)) {
        if (const auto* ranks = explicit_placement(job)) {
            job.parallel.chunks = most_stages(*ranks);
        } else if (!is_word(job, "loop")) {
            job.parallel.chunks = 2;
        }
    }
    const std::vector<int>& each = job.model.layers_per_stage;
    if (!each.empty() && !origins.given("model.layers")) {
        constexpr std::int64_t most = 1'000'000'000;  // an int, whatever was given
        job.model.layers = static_cast<int>(
            std::min(most, std::accumulate(each.begin(), each.end(), std::int64_t{0})));
    }
}

std::vector<std::string> shape_faults(const Job& job, const Origins& origins) {
    return ShapeCheck(job, origins).run();
}

}  // namespace rrfp
