// Guards: of all combinations of arbiter, placement, split, admission, determinism, tensor groups,
// replicas and agreement each one either runs every task once within its limit, or is refused with
// its reason before anything starts. Which are refused is written here independently.

#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "adapters/jobs/run/simulated_run.h"
#include "tests/jobs/job_text.h"

namespace rrfp {
namespace {

using testing::job_of;

struct Combination {
    std::string arbiter;
    std::string placement;  ///< as overrides
    bool split = false;
    std::string admission;
    bool deterministic = false;
    int tensor = 1;
    int data = 1;
    std::string agreement;

    std::vector<std::string> overrides() const {
        return {"schedule.arbiter=" + arbiter,
                "parallel.placement=" + placement,
                placement == "loop" ? "parallel.chunks=1" : "parallel.chunks=2",
                fmt::format("schedule.split_weight={}", split),
                "schedule.admission=" + admission,
                fmt::format("schedule.deterministic={}", deterministic),
                fmt::format("parallel.tensor={}", tensor),
                fmt::format("parallel.data={}", data),
                "schedule.agreement=" + agreement};
    }

    /// Part of the reason; nothing where the combination must run.
    std::optional<std::string> refusal() const {
        if (arbiter == "tide-w" && !split) return "split_weight = true";
        const bool local = arbiter == "critical-path";
        if (local && tensor > 1 && agreement == "allgather") return "use \"board\"";
        return std::nullopt;
    }
};

std::vector<Combination> all_combinations() {
    std::vector<Combination> all;
    for (const char* arbiter : {"bf", "fb", "b-priority", "f-priority", "bfw", "tide", "tide-w",
                                "critical-path", "order", "fixed"})
        for (const char* placement : {"loop", "v", "wave", "[0, 1, 0, 1]", "[0, 1, 1, 0]"})
            for (const bool split : {false, true})
                for (const char* admission : {"drain", "window", "graded"})
                    for (const bool deterministic : {false, true})
                        for (const int tensor : {1, 2})
                            for (const int data : {1, 2})
                                for (const char* agreement : {"board", "allgather"})
                                    all.push_back({arbiter, placement, split, admission,
                                                   deterministic, tensor, data, agreement});
    return all;
}

constexpr int microbatches = 5;

void expect_whole_run(const Job& job, const std::string& what) {
    const RunResult result = simulate_run(job, plan_of(job));
    const Pipeline pipeline = job.pipeline();
    const std::vector<int> limits = plan_of(job)->schedule.limits;
    ASSERT_EQ(result.ranks.size(), 2u) << what;
    for (const RankSummary& rank : result.ranks) {
        std::set<Task> seen;
        for (const TaskRecord& record : rank.last_iteration) {
            EXPECT_TRUE(seen.insert(record.task).second) << what;
        }
        EXPECT_EQ(static_cast<int>(seen.size()), pipeline.task_count(rank.rank)) << what;
        const int chunks = pipeline.placement.chunks(rank.rank);
        const bool drains = chunks > 1 && job.schedule.admission == "drain";
        EXPECT_LE(rank.in_flight_high_water, limits[rank.rank] + (drains ? chunks : 0)) << what;
    }
}

TEST(Combinations, EachRunsOrIsRefusedWithItsReason) {
    const std::string text = fmt::format(
        "[model]\nkind = 'synthetic'\nforward_ms = 1\nbackward_ms = 2\nweight_ms = 1\n"
        "[parallel]\npipeline = 2\n[train]\nmicrobatches = {}\niterations = 1\n"
        "[jitter]\ncompute_cv = 0.7\ncomm_mean_ms = 1\n",
        microbatches);
    int ran = 0;
    for (const Combination& combination : all_combinations()) {
        const std::vector<std::string> overrides = combination.overrides();
        const std::string what = fmt::format("{}", fmt::join(overrides, " "));
        const std::optional<std::string> reason = combination.refusal();
        try {
            const Job job = job_of(text, overrides);
            EXPECT_FALSE(reason) << "accepted: " << what;
            expect_whole_run(job, what);
            ++ran;
        } catch (const BadInput& error) {
            ASSERT_TRUE(reason) << what << ": " << error.what();
            EXPECT_THAT(error.what(), ::testing::HasSubstr(*reason)) << what;
        }
    }
    EXPECT_GT(ran, 2000);
}

}  // namespace
}  // namespace rrfp
