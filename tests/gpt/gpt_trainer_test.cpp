// A training that stops and resumes ends with the bits of one that never stopped; a checkpoint of
// another model is refused by name; a job that no model can be built for is refused before one is.
#include "adapters/gpt/gpt_trainer.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

#include <ATen/core/Tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/jobs/job/kept_bytes.h"
#include "tests/gpt/gpt_pipeline.h"
#include "tests/support/scratch_folder.h"

namespace rrfp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class GptTrainerTest : public ::testing::Test {
  protected:
    testing::ScratchFolder scratch_;
    const std::filesystem::path& folder_ = scratch_.path();

    static Job job() {
        Job job = small_job(2);
        job.model.dropout = 0.2;
        job.train.iterations = 9;
        job.train.learning_rate = 0.01;
        return job;
    }
    static void train(GptPipeline& pipeline, std::uint64_t from, std::uint64_t to,
                      std::vector<double>& losses) {
        for (std::uint64_t i = from; i < to; ++i) {
            pipeline.compute(gpipe_order(2, 6), i);
            losses.push_back(pipeline.loss());
            pipeline.step(i);
        }
    }
    std::string file(int rank) const { return folder_ / std::to_string(rank); }
    /// What both files hold.
    using Identities = std::array<FileIdentity, 2>;
    Identities save(GptPipeline& pipeline) const {
        return {pipeline.rank(0).save(file(0), {}), pipeline.rank(1).save(file(1), {})};
    }
    Identities load(GptPipeline& pipeline) const {
        return {pipeline.rank(0).load(file(0)), pipeline.rank(1).load(file(1))};
    }
    std::string refusal(const Job& other) const {
        GptPipeline pipeline(other);
        const auto before = pipeline.digests();
        try {
            pipeline.rank(0).load(file(0));
        } catch (const std::runtime_error& error) {
            EXPECT_EQ(pipeline.digests(), before);
            return error.what();
        }
        return "accepted";
    }
};

TEST_F(GptTrainerTest, R23TwoStopsChangeNoBit) {
    std::vector<double> expected;
    GptPipeline uninterrupted(job());
    train(uninterrupted, 0, 9, expected);

    std::vector<double> losses;
    Identities saved;
    for (const std::uint64_t from : {0, 3, 6}) {
        GptPipeline pipeline(job());
        if (from > 0) {
            ASSERT_EQ(load(pipeline), saved);
        }
        train(pipeline, from, from + 3, losses);
        saved = save(pipeline);
        if (from == 6) {
            EXPECT_EQ(pipeline.digests(), uninterrupted.digests());
        }
    }
    EXPECT_EQ(losses, expected);
}

TEST_F(GptTrainerTest, AnotherModelsCheckpointIsRefusedByParameter) {
    GptPipeline saved(job());
    save(saved);
    Job wider = job();
    wider.model.hidden = 32;
    EXPECT_THAT(refusal(wider), AllOf(HasSubstr(file(0)), HasSubstr("token_embedding.weight"),
                                      HasSubstr("expected F32[256,32], found F32[256,16]")));
    Job deeper = job();
    deeper.model.layers = 8;
    EXPECT_THAT(refusal(deeper), HasSubstr("blocks.2.attention_norm.weight: expected F32[16]"));
    std::filesystem::resize_file(file(0), std::filesystem::file_size(file(0)) - 1);
    EXPECT_THAT(refusal(job()), HasSubstr("cut short"));
}

// What limits in bytes assume of a split backward, against what torch allocates.
TEST_F(GptTrainerTest, WhatWeightGradientsHoldIsWhatALimitInBytesAssumes) {
    for (const bool recompute : {false, true}) {
        Job job = small_job(2);
        job.model.hidden = 32;
        job.model.recompute = recompute;
        job.schedule.split_weight = true;
        GptPipeline pipeline(job);
        pipeline.compute(split(gpipe_order(2, 6), WeightOrder::last), 0);
        for (int rank = 0; rank < 2; ++rank) {
            const auto held = static_cast<double>(pipeline.rank(rank).weight_bytes_high_water());
            const auto assumed = static_cast<double>(6 * bytes_in_flight(job, rank));
            EXPECT_LE(held, assumed);
            EXPECT_GE(held, 0.8 * assumed);
        }
        pipeline.evaluate(1);
        EXPECT_EQ(pipeline.rank(0).weight_bytes_high_water(), 0);
    }
}

TEST_F(GptTrainerTest, DigestsAreSortedByNameAndFollowTheBytes) {
    GptPipeline pipeline(job());
    const auto before = pipeline.rank(0).parameter_digests();
    EXPECT_TRUE(std::is_sorted(before.begin(), before.end()));
    pipeline.parameters().at("blocks.0.mlp.up.bias").detach()[0].add_(1);
    int changed = 0;
    const auto after = pipeline.rank(0).parameter_digests();
    for (std::size_t i = 0; i < after.size(); ++i) {
        EXPECT_EQ(after[i].second.size(), 64u);
        if (after[i] != before[i]) {
            ++changed;
            EXPECT_EQ(after[i].first, "blocks.0.mlp.up.bias");
        }
    }
    EXPECT_EQ(changed, 1);
}

std::string check(const std::function<void(Job&)>& change) {
    Job job = small_job(4);
    change(job);
    try {
        check_gpt_model(job);
        check_text(job);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

TEST(CheckGptJobTest, WhatCannotBeBuiltIsRefusedNamingKeyValueAndRemedy) {
    EXPECT_EQ(check([](Job&) {}), "accepted");
    EXPECT_THAT(check([](Job& job) { job.model.layers = 6; }),
                AllOf(HasSubstr("model.layers = 6"), HasSubstr("multiple of 4")));
    EXPECT_THAT(check([](Job& job) { job.model.heads = 3; }),
                AllOf(HasSubstr("model.heads = 3"), HasSubstr("hidden = 16")));
    EXPECT_EQ(check([](Job& job) { job.parallel.tensor = 2; }), "accepted");
    EXPECT_THAT(check([](Job& job) { job.parallel.tensor = 4; }),
                AllOf(HasSubstr("parallel.tensor = 4"), HasSubstr("model.heads = 2"),
                      HasSubstr("divisor")));
    EXPECT_THAT(check([](Job& job) {
                    job.model.hidden = 18;
                    job.model.heads = 3;
                    job.parallel.tensor = 3;
                }),
                HasSubstr("the vocabulary = 256"));
    EXPECT_THAT(check([](Job& job) {
                    job.model.sequence = 13;
                    job.parallel.tensor = 2;
                    job.parallel.sequence_parallel = true;
                }),
                HasSubstr("model.sequence = 13"));
    EXPECT_EQ(check([](Job& job) { job.schedule.split_weight = true; }), "accepted");
    EXPECT_THAT(check([](Job& job) {
                    job.model.layers_per_stage = {1, 1, 1, 2};
                }),
                HasSubstr("model.layers = 4"));
    EXPECT_THAT(check([](Job& job) { job.data.text = "/no/such/text"; }),
                HasSubstr("/no/such/text"));
    const auto no_validation = [](Job& job) { job.data.validation_fraction = 0; };
    EXPECT_EQ(check(no_validation), "accepted");
    EXPECT_THAT(check([&](Job& job) {
                    no_validation(job);
                    job.train.evaluate_every = 2;
                }),
                HasSubstr("validation part has 0 bytes"));
    Job job = small_job(4);
    job.data.text = "/no/such/text";
    EXPECT_THROW(make_gpt_trainer(job, 0), std::invalid_argument);
}

}  // namespace
}  // namespace rrfp::test
