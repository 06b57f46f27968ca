// One weight is both token embedding and output head: its two copies, on one rank or two, begin and
// stay equal bit by bit, take the gradient of the one weight of an independent serial model, and
// count once in the norm. No cut of the model changes a bit.
#include <cmath>

#include <ATen/core/Tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/gpt/layers/parameters.h"
#include "tests/gpt/gpt_pipeline.h"
#include "tests/gpt/serial_gpt.h"
#include "tests/support/scratch_folder.h"

namespace rrfp::test {
namespace {

constexpr int steps = 3;

Job tied_job(int pipeline) {
    Job job = small_job(pipeline);
    job.model.tied_embeddings = true;
    job.train.learning_rate = 0.01;
    job.train.clip_norm = 0.5;
    return job;
}

/// Jobs that place the two copies on two ranks, on one rank's two stages, and in one stage.
std::vector<Job> layouts() {
    std::vector<Job> jobs = {tied_job(1), tied_job(3), tied_job(1)};
    jobs[1].model.layers_per_stage = {1, 2, 1};
    jobs[2].parallel.placement = std::vector{0, 0, 0};
    jobs[2].parallel.chunks = 3;
    jobs[2].model.layers_per_stage = {1, 2, 1};
    for (const char* placement : {"loop", "v"}) {
        Job& job = jobs.emplace_back(tied_job(2));
        job.parallel.chunks = 2;
        job.parallel.placement = placement;
    }
    return jobs;
}

std::vector<Task> order_of(const Job& job, std::uint64_t seed) {
    const auto order =
        random_order(job.placement().stages(), job.train.microbatches, seed, /*ordered=*/true);
    return job.schedule.split_weight ? split(order, WeightOrder::last) : order;
}

double relative_error(const at::Tensor& value, const at::Tensor& reference) {
    return value.to(at::kDouble).sub(reference).norm().item<double>() /
           reference.norm().item<double>();
}

void expect_equal_copies(const GptPipeline& pipeline) {
    const auto values = pipeline.parameters();
    EXPECT_TRUE(values.at("head.weight").equal(values.at("token_embedding.weight")));
}

TEST(TiedEmbeddings, R07CopiesStayEqualAndFollowTheOneWeightOfTheSerialModel) {
    for (const bool split_weight : {false, true}) {
        for (Job job : layouts()) {
            job.schedule.split_weight = split_weight;
            GptPipeline pipeline(job);
            for (std::uint64_t i = 0; i < steps; ++i) {
                expect_equal_copies(pipeline);
                const SerialGpt serial = serial_gpt(job, pipeline.parameters(), i);
                pipeline.compute(order_of(job, i), i);
                EXPECT_NEAR(pipeline.loss() / serial.loss, 1, 1e-6);
                const auto gradients = pipeline.gradients();
                ASSERT_EQ(gradients.size(), serial.gradients.size());
                for (const auto& [name, expected] : serial.gradients) {
                    EXPECT_LT(relative_error(gradients.at(name), expected), 1e-6) << name;
                }
                pipeline.step(i);
            }
            expect_equal_copies(pipeline);
        }
    }
}

TEST(TiedEmbeddings, R07NoCutChangesABit) {
    std::vector<std::vector<std::pair<std::string, std::string>>> digests;
    for (Job job : layouts()) {
        job.train.clip_norm = 1e9;  // the norm's rounding depends on the cut
        GptPipeline pipeline(job);
        for (std::uint64_t i = 0; i < steps; ++i) {
            pipeline.compute(order_of(job, i), i);
            pipeline.step(i);
        }
        digests.push_back(pipeline.digests());
        EXPECT_EQ(digests.back(), digests.front());
    }
}

TEST(TiedEmbeddings, R07TheWeightCountsOnceInTheNorm) {
    for (const Job& job : layouts()) {
        GptPipeline pipeline(job);
        pipeline.compute(order_of(job, 1), 0);
        double squares = 0;
        for (int rank = 0; rank < pipeline.ranks(); ++rank) {
            squares += pipeline.rank(rank).gradient_square_sum();
        }
        auto gradients = serial_gpt(job, pipeline.parameters(), 0).gradients;
        gradients.erase("head.weight");
        double expected = 0;
        for (const auto& [name, gradient] : gradients) {
            expected += gradient.square().sum().item<double>();
        }
        EXPECT_NEAR(squares / expected, 1, 1e-6);
    }
}

TEST(TiedEmbeddings, ACheckpointHoldsBothCopies) {
    const testing::ScratchFolder folder;
    const Job job = tied_job(2);
    const auto file = [&](int rank) { return folder.file(std::to_string(rank)); };
    GptPipeline saved(job);
    GptPipeline loaded(job);
    saved.compute(order_of(job, 0), 0);
    saved.step(0);
    for (int rank = 0; rank < 2; ++rank) saved.rank(rank).save(file(rank), {});
    for (int rank = 0; rank < 2; ++rank) loaded.rank(rank).load(file(rank));
    EXPECT_EQ(loaded.digests(), saved.digests());
    expect_equal_copies(loaded);
}

TEST(TiedEmbeddings, ACopyWhoseOriginalNobodyKnowsIsNamed) {
    ParameterList parameters(1);
    parameters.tie({.copy = "head", .original = "embedding"});
    parameters.normal("head", {2, 3}, 1);
    try {
        parameters.finish_gradients();
        FAIL() << "summed with nothing";
    } catch (const std::logic_error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("embedding and head"));
    }
}

}  // namespace
}  // namespace rrfp::test
