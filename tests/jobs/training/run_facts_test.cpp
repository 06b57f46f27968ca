// Every key of a job either determines what is trained, and then a checkpoint records it, or
// changes no number; another number of iterations is told from a change by the rates alone.
#include "adapters/jobs/training/run_facts.h"

#include <set>

#include <gmock/gmock.h>

#include "adapters/jobs/file/job_keys.h"

namespace rrfp {
namespace {

/// Keys that a job may change freely when it resumes: they say when, where and how fast tasks run,
/// what is told of them, and what would be refused by its own rule (model, layout, the job's end).
const std::set<std::string> free_keys = {"model.kind",
                                         "model.layers",
                                         "model.layers_per_stage",
                                         "model.hidden",
                                         "model.heads",
                                         "model.sequence",
                                         "model.recompute",
                                         "model.tied_embeddings",
                                         "model.forward_ms",
                                         "model.backward_ms",
                                         "model.weight_ms",
                                         "model.stage_scale",
                                         "model.sleep",
                                         "model.message_bytes",
                                         "parallel.pipeline",
                                         "parallel.tensor",
                                         "parallel.data",
                                         "parallel.chunks",
                                         "parallel.placement",
                                         "schedule.arbiter",
                                         "schedule.hint",
                                         "schedule.limit",
                                         "schedule.admission",
                                         "schedule.split_weight",
                                         "schedule.guard",
                                         "schedule.agreement",
                                         "schedule.agreement_scope",
                                         "schedule.plugin",
                                         "schedule.waiting",
                                         "train.evaluate_every",
                                         "train.continue_on_nan",
                                         "train.evaluation_microbatches",
                                         "jitter.compute_cv",
                                         "jitter.microbatch_cv",
                                         "jitter.comm_mean_ms",
                                         "jitter.comm_cv",
                                         "jitter.seed",
                                         "watchdog.seconds",
                                         "output.checkpoint",
                                         "output.checkpoint_every",
                                         "output.resume",
                                         "output.resume_changed"};

TEST(RunFacts, every_key_is_either_recorded_or_free) {
    const RunFacts facts = facts_of({});
    for (const JobKey& key : job_keys()) {
        EXPECT_NE(facts.contains(key.path()), free_keys.contains(key.path()))
            << key.path() << ": does it determine what is trained?";
    }
    EXPECT_EQ(facts.size() + free_keys.size(), job_keys().size());
}

std::vector<std::string> changed(const Job& before, const Job& now, std::uint64_t done) {
    const FactChanges changes = changes_of(facts_of(before), now, done);
    std::vector<std::string> keys;
    for (const FactChange& change : changes.numbers) keys.push_back(change.key);
    return keys;
}

TEST(RunFacts, a_double_that_differs_in_one_bit_is_a_change) {
    Job now;
    now.train.beta2 = 0.95000000000000007;
    EXPECT_THAT(changed({}, now, 1), ::testing::ElementsAre("train.beta2"));
    now.train.beta2 = 0.95;
    EXPECT_THAT(changed({}, now, 1), ::testing::IsEmpty());
}

TEST(RunFacts, R65_iterations_are_free_where_the_rates_so_far_do_not_depend_on_them) {
    Job before;
    before.train.warmup_iterations = 2;
    Job now = before;
    now.train.iterations = 20;
    EXPECT_THAT(changed(before, now, 3), ::testing::IsEmpty());  // warm-up, and the peak
    EXPECT_THAT(changed(before, now, 4), ::testing::ElementsAre("train.iterations"));
    before.train.min_learning_rate = now.train.min_learning_rate = before.train.learning_rate;
    EXPECT_THAT(changed(before, now, 4), ::testing::IsEmpty());
}

TEST(RunFacts, another_text_is_a_change_and_one_that_nobody_has_read_is_none) {
    Job before;
    before.data.text_file = {.bytes = 10, .sha256 = std::string(64, 'a')};
    EXPECT_THAT(changed(before, {}, 1), ::testing::IsEmpty());
    Job now = before;
    now.data.text = "moved.txt";
    EXPECT_THAT(changed(before, now, 1), ::testing::IsEmpty());
    now.data.text_file.sha256[0] = 'b';
    EXPECT_THAT(changed(before, now, 1), ::testing::ElementsAre("data.text"));
}

}  // namespace
}  // namespace rrfp
