#pragma once

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/core/agreement/task_index.h"
#include "runtime/core/keyed_random.h"
#include "runtime/core/submission_window.h"
#include "runtime/starpu/pipeline_runner.h"
#include "tests/starpu/checked_pipeline.h"
#include "tests/starpu/test_runtime.h"

namespace rrfp::testing {

/// How the members of a group come to one order in a test.
struct Way {
    const char* name;
    AgreementProtocol protocol;
    bool apart = false;
};

inline const Way ways[] = {{"board", AgreementProtocol::board},
                           {"allgather", AgreementProtocol::allgather},
                           {"allgather_between_nodes", AgreementProtocol::allgather, true}};

/// A pipeline whose every rank is a group of `members` processes, which differ in how long their
/// tasks take and their messages travel. World rank = pipeline rank * members + member.
class GroupPipeline {
  public:
    GroupPipeline(const Pipeline& pipeline, int members)
        : pipeline_(pipeline), members_(members), world_rank_(TestRuntime::get().rank()) {}

    int rank() const { return world_rank_ / members_; }
    int member() const { return world_rank_ % members_; }

    RunnerOptions options(const ScheduleOptions& schedule, const Way& way, double skew_ms) const {
        RunnerOptions options{.window = submission_window(pipeline_, schedule)};
        options.agreement = {.members = {}, .protocol = way.protocol, .apart = way.apart};
        for (int member = 0; member < members_; ++member) {
            options.agreement.members.push_back(rank() * members_ + member);
        }
        for (int each = 0; each < pipeline_.placement.ranks(); ++each) {
            options.world_ranks.push_back(each * members_ + member());
        }
        if (skew_ms > 0) {
            options.message_delay = [this, skew_ms](std::uint64_t iteration, const Task& task) {
                return skew_ms * draw(iteration, task, 0);
            };
        }
        return options;
    }

    /// `body`, and up to `skew_ms` on top.
    TaskBody slowed(TaskBody body, double skew_ms) const {
        return [this, body = std::move(body), skew_ms](const Task& task, std::uint64_t iteration,
                                                       const TensorList& inputs,
                                                       const TensorList& gradients) {
            if (skew_ms > 0) {
                std::this_thread::sleep_for(
                    std::chrono::duration<double, std::milli>(skew_ms * draw(iteration, task, 1)));
            }
            return body(task, iteration, inputs, gradients);
        };
    }

    /// Fails unless all members ran the tasks of `result` in one order.
    void expect_one_order(const RankIteration& result) const {
        const RankState numbering(pipeline_, rank());
        const TaskIndex index(numbering);
        std::vector<int> own;
        for (const TaskRecord& record : result.tasks) own.push_back(index.of(record.task));
        const int ranks = TestRuntime::get().ranks();
        // As many at each rank: the test's placements give all ranks as many stages.
        std::vector<int> all(own.size() * static_cast<std::size_t>(ranks));
        MPI_Request request = MPI_REQUEST_NULL;
        const int count = static_cast<int>(own.size());
        ASSERT_EQ(count, pipeline_.task_count(rank()));
        MPI_Iallgather(own.data(), count, MPI_INT, all.data(), count, MPI_INT, MPI_COMM_WORLD,
                       &request);
        Runtime::wait(request);
        for (int member = 0; member < members_; ++member) {
            const auto begin = all.begin() + std::ptrdiff_t{count} * (rank() * members_ + member);
            EXPECT_EQ(std::vector<int>(begin, begin + count), own) << "member " << member;
        }
    }

  private:
    double draw(std::uint64_t iteration, const Task& task, std::uint64_t purpose) const {
        return keyed_uniform({iteration, static_cast<std::uint64_t>(task.kind),
                              static_cast<std::uint64_t>(task.stage),
                              static_cast<std::uint64_t>(task.microbatch),
                              static_cast<std::uint64_t>(world_rank_), purpose});
    }

    Pipeline pipeline_;
    int members_;
    int world_rank_;
};

/// Runs `iterations` and checks order, counts, values and bounds of each.
inline std::vector<RankIteration> run_group(const Pipeline& pipeline, int members,
                                            const ScheduleOptions& schedule, const Way& way,
                                            double skew_ms, int iterations = 2) {
    const GroupPipeline group(pipeline, members);
    CheckedStages stages(pipeline);
    PipelineRunner runner(
        TestRuntime::get(), pipeline, make_dispatcher(pipeline, group.rank(), schedule),
        group.slowed(std::ref(stages), skew_ms), group.options(schedule, way, skew_ms));
    EXPECT_EQ(runner.agreement(), way.protocol);
    std::vector<RankIteration> results;
    for (int i = 0; i < iterations; ++i) {
        results.push_back(runner.run(static_cast<std::uint64_t>(i)));
        const RankIteration& done = results.back();
        group.expect_one_order(done);
        EXPECT_EQ(done.agreement.decisions, pipeline.task_count(group.rank()));
        EXPECT_GE(done.tp_coordination_ms, 0);
        EXPECT_GE(done.blocking_ms, 0);
        const int chunks = pipeline.placement.chunks(group.rank());
        EXPECT_LE(done.in_flight_high_water,
                  schedule.limits[group.rank()] + (chunks > 1 ? chunks : 0));
    }
    return results;
}

}  // namespace rrfp::testing
