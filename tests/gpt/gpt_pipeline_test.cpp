// A GPT cut into stages computes what the uncut model does: to rounding against an independent
// serial model, and bit for bit whatever the cut, the order of tasks, dropout and recomputation, as
// long as each stage's backwards are in microbatch order.
#include "tests/gpt/gpt_pipeline.h"

#include <cmath>

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include "tests/gpt/serial_gpt.h"

namespace rrfp::test {
namespace {

constexpr std::uint64_t iteration = 2;

double relative_error(const at::Tensor& value, const at::Tensor& reference) {
    const double scale = reference.norm().item<double>();
    const double error = value.to(at::kDouble).sub(reference.to(at::kDouble)).norm().item<double>();
    return scale > 0 ? error / scale : error;
}

void expect_same_bits(const GptPipeline& one, const GptPipeline& other) {
    EXPECT_EQ(one.loss(), other.loss());
    const auto expected = other.gradients();
    for (const auto& [name, gradient] : one.gradients()) {
        EXPECT_TRUE(gradient.equal(expected.at(name))) << name;
    }
}

GptPipeline computed(const Job& job, const std::vector<Task>& order) {
    GptPipeline pipeline(job);
    pipeline.compute(order, iteration);
    return pipeline;
}

GptPipeline uncut(Job job) {
    job.parallel.pipeline = 1;
    job.parallel.chunks = 1;
    job.schedule.split_weight = false;
    return computed(job, depth_first_order(1, job.train.microbatches));
}

std::vector<std::vector<Task>> many_orders(int stages, int microbatches) {
    std::vector<std::vector<Task>> orders = {gpipe_order(stages, microbatches),
                                             depth_first_order(stages, microbatches)};
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        orders.push_back(random_order(stages, microbatches, seed, true));
    }
    return orders;
}

/// One rank; one stage a rank; several stages a rank, two ways.
std::vector<Job> layouts() {
    std::vector<Job> jobs = {small_job(1), small_job(2), small_job(4)};
    for (const char* placement : {"loop", "v"}) {
        Job& job = jobs.emplace_back(small_job(2));
        job.parallel.chunks = 2;
        job.parallel.placement = placement;
    }
    return jobs;
}

void expect_serial_gradients(const Job& job) {
    const int stages = job.placement().stages();
    auto order = random_order(stages, job.train.microbatches, 1, false);
    if (job.schedule.split_weight) order = split(order, WeightOrder::last);
    const GptPipeline pipeline = computed(job, order);
    const SerialGpt reference = serial_gpt(job, pipeline.parameters(), iteration);
    EXPECT_NEAR(pipeline.loss() / reference.loss, 1, 1e-6);
    const auto gradients = pipeline.gradients();
    ASSERT_EQ(gradients.size(), reference.gradients.size());
    for (const auto& [name, expected] : reference.gradients) {
        EXPECT_LT(relative_error(gradients.at(name), expected), 1e-6) << name;
    }
}

// The mean over M microbatches enters once: not once a stage, not once a microbatch that is added.
TEST(GptPipelineTest, R08LossAndGradientsAreThoseOfTheSerialModel) {
    for (const int microbatches : {1, 3, 8}) {
        for (const bool split_weight : {false, true}) {
            for (Job job : layouts()) {
                job.train.microbatches = microbatches;
                job.schedule.split_weight = split_weight;
                expect_serial_gradients(job);
            }
        }
    }
}

TEST(GptPipelineTest, EveryCutBeginsWithTheSameParameters) {
    const auto whole = GptPipeline(small_job(1)).digests();
    EXPECT_EQ(GptPipeline(small_job(2)).digests(), whole);
    EXPECT_EQ(GptPipeline(small_job(4)).digests(), whole);
    Job other = small_job(1);
    other.train.seed = 12;
    EXPECT_NE(GptPipeline(other).digests(), whole);
}

TEST(GptPipelineTest, NoOrderAndNoCutChangesABit) {
    const GptPipeline reference = uncut(small_job(1));
    for (const int stages : {2, 4}) {
        const Job job = small_job(stages);
        for (const auto& order : many_orders(stages, job.train.microbatches)) {
            expect_same_bits(computed(job, order), reference);
        }
    }
}

TEST(GptPipelineTest, R12DropoutIsTheSameInEveryOrderAndCutWithAndWithoutRecomputation) {
    Job job = small_job(4);
    job.model.dropout = 0.1;
    const GptPipeline reference = uncut(job);
    EXPECT_NE(reference.loss(), uncut(small_job(1)).loss());
    for (const bool recompute : {false, true}) {
        job.model.recompute = recompute;
        for (const int stages : {2, 4}) {
            job.parallel.pipeline = stages;
            for (const auto& order : many_orders(stages, job.train.microbatches)) {
                expect_same_bits(computed(job, order), reference);
            }
        }
    }
}

TEST(GptPipelineTest, BackwardsInAnotherOrderChangeRoundingAlone) {
    const Job job = small_job(4);
    const auto expected = uncut(job).gradients();
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const GptPipeline pipeline =
            computed(job, random_order(4, job.train.microbatches, seed, false));
        for (const auto& [name, gradient] : pipeline.gradients()) {
            EXPECT_LT(relative_error(gradient, expected.at(name)), 1e-6) << name;
        }
    }
}

TEST(GptPipelineTest, InterleavedStagesComputeTheSame) {
    Job job = small_job(2);
    job.parallel.chunks = 2;
    expect_same_bits(computed(job, random_order(4, job.train.microbatches, 3, true)), uncut(job));
}

TEST(GptPipelineTest, SplitBackwardsChangeNoBit) {
    Job job = small_job(4);
    job.model.dropout = 0.1;
    const GptPipeline reference = uncut(job);
    job.schedule.split_weight = true;
    for (const bool recompute : {false, true}) {
        job.model.recompute = recompute;
        for (const int stages : {1, 2, 4}) {
            job.parallel.pipeline = stages;
            const auto order = random_order(stages, job.train.microbatches, 5, true);
            for (const WeightOrder weights : {WeightOrder::at_once, WeightOrder::last}) {
                expect_same_bits(computed(job, split(order, weights)), reference);
            }
        }
    }
}

TEST(GptPipelineTest, SplitBackwardsOfChunksChangeNoBit) {
    Job job = small_job(2);
    const GptPipeline reference = uncut(job);
    job.schedule.split_weight = true;
    job.parallel.chunks = 2;
    for (const char* placement : {"loop", "v"}) {
        job.parallel.placement = placement;
        const auto order = random_order(4, job.train.microbatches, 6, true);
        expect_same_bits(computed(job, split(order, WeightOrder::last)), reference);
    }
}

TEST(GptPipelineTest, StagesOfUnequalDepthChangeNoBit) {
    const GptPipeline reference = uncut(small_job(1));
    for (const std::vector<int>& layers : {std::vector{1, 3}, std::vector{1, 2, 1}}) {
        Job job = small_job(static_cast<int>(layers.size()));
        job.model.layers_per_stage = layers;
        expect_same_bits(
            computed(job, random_order(job.parallel.pipeline, job.train.microbatches, 2, true)),
            reference);
    }
}

TEST(GptPipelineTest, R01FewerMicrobatchesThanStages) {
    for (const int microbatches : {1, 2, 3}) {
        Job job = small_job(4);
        job.train.microbatches = microbatches;
        expect_same_bits(computed(job, random_order(4, microbatches, 3, true)), uncut(job));
    }
}

TEST(GptPipelineTest, R13EvaluationLeavesNoTraceAndUsesNoDropout) {
    Job job = small_job(2);
    job.model.dropout = 0.5;
    GptPipeline pipeline(job);
    pipeline.evaluate(3);
    const double before = pipeline.loss();
    const auto kept = [&](int rank) {
        return dynamic_cast<AutogradProgram&>(pipeline.rank(rank).program()).kept();
    };
    EXPECT_EQ(kept(0) + kept(1), 0u);
    pipeline.compute(gpipe_order(2, job.train.microbatches), iteration);
    expect_same_bits(pipeline, uncut(job));
    pipeline.evaluate(3);
    EXPECT_EQ(pipeline.loss(), before);
    for (const auto& [name, gradient] : pipeline.gradients()) {
        EXPECT_EQ(gradient.count_nonzero().item<std::int64_t>(), 0) << name;
    }
}

TEST(GptPipelineTest, TrainingLowersTheLossAndIsTheSameForEveryCut) {
    std::vector<std::vector<std::pair<std::string, std::string>>> digests;
    for (const int stages : {1, 4}) {
        Job job = small_job(stages);
        job.train.learning_rate = 0.01;
        job.train.clip_norm = 1e9;  // the norm's rounding depends on the cut
        GptPipeline pipeline(job);
        std::vector<double> losses;
        for (std::uint64_t i = 0; i < 10; ++i) {
            pipeline.compute(depth_first_order(stages, job.train.microbatches), i);
            losses.push_back(pipeline.loss());
            pipeline.step(i);
        }
        EXPECT_NEAR(losses.front(), std::log(256.0), 0.1);
        EXPECT_LT(losses.back(), losses.front() - 1);
        digests.push_back(pipeline.digests());
    }
    EXPECT_EQ(digests[0], digests[1]);
}

TEST(GptPipelineTest, R09TheSquareSumsAddUpToTheNormOverAllRanks) {
    const Job job = small_job(4);
    GptPipeline pipeline = computed(job, gpipe_order(4, job.train.microbatches));
    double squares = 0;
    for (int rank = 0; rank < pipeline.ranks(); ++rank) {
        squares += pipeline.rank(rank).gradient_square_sum();
    }
    double expected = 0;
    for (const auto& [name, gradient] :
         serial_gpt(job, pipeline.parameters(), iteration).gradients) {
        expected += gradient.square().sum().item<double>();
    }
    EXPECT_NEAR(std::sqrt(squares / expected), 1, 1e-6);
}

TEST(GptPipelineTest, ALossThatIsNotANumberIsForTheCallerToSee) {
    const Job job = small_job(2);
    GptPipeline pipeline(job);
    pipeline.parameters().at("final_norm.bias").detach().fill_(std::nan(""));
    pipeline.compute(gpipe_order(2, job.train.microbatches), iteration);
    EXPECT_TRUE(std::isnan(pipeline.loss()));
}

}  // namespace
}  // namespace rrfp::test
