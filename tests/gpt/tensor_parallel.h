#pragma once

// Invariant: a GPT divided over a tensor group computes what one rank alone computes. The reference
// is twofold: the model written a second time in double precision, and the same job on one rank,
// from whose parts the group's layers are not made. Included by one file for each group size.

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include "adapters/collectives/mpi_collectives.h"
#include "tests/gpt/gpt_pipeline.h"
#include "tests/gpt/serial_gpt.h"
#include "tests/mpi/mpi_environment.h"
#include "tests/support/scratch_folder.h"

namespace rrfp::test {

using testing::MpiEnvironment;

class TensorParallel : public ::testing::TestWithParam<bool> {
  protected:
    static constexpr int microbatches = 6;

    void SetUp() override {
        std::vector<int> ranks(static_cast<std::size_t>(MpiEnvironment::mpi().ranks()));
        std::iota(ranks.begin(), ranks.end(), 0);
        group_ = make_mpi_collectives(ranks, {.name = "tensor group", .wait_seconds = 30});
    }

    /// The job over the group; `alone` gives the reference.
    Job job(int pipeline = 1) const {
        Job job = small_job(pipeline);
        job.model.heads = 4;
        job.parallel.tensor = group_->size();
        job.parallel.sequence_parallel = GetParam();
        job.train.learning_rate = 0.01;
        job.train.clip_norm = 0.5;
        return job;
    }
    static Job alone(Job job) {
        job.parallel.tensor = 1;
        job.parallel.sequence_parallel = false;
        return job;
    }
    /// Rank 0's loss: the others leave it to that one.
    double shared(double loss) const {
        group_->broadcast(std::span(&loss, 1), 0);
        return loss;
    }
    /// Whether every rank passes the same tensor, bit by bit.
    bool same_everywhere(const at::Tensor& tensor) const {
        at::Tensor first = tensor.detach().clone(at::MemoryFormat::Contiguous);
        group_->broadcast({first.mutable_data_ptr<float>(), static_cast<std::size_t>(first.numel()),
                           ElementType::float32},
                          0);
        return first.equal(tensor);
    }

    std::unique_ptr<Collectives> group_;
};

/// ||a - b|| / ||b||; ||a|| where b is 0.
inline double relative_distance(const at::Tensor& a, const at::Tensor& b) {
    const double scale = b.to(at::kDouble).norm().item<double>();
    const double distance = a.to(at::kDouble).sub(b.to(at::kDouble)).norm().item<double>();
    return scale > 0 ? distance / scale : distance;
}

inline void expect_near(const std::map<std::string, at::Tensor>& actual,
                        const std::map<std::string, at::Tensor>& expected, double tolerance) {
    ASSERT_EQ(actual.size(), expected.size());
    for (const auto& [name, value] : expected) {
        ASSERT_EQ(actual.at(name).sizes(), value.sizes()) << name;
        EXPECT_LT(relative_distance(actual.at(name), value), tolerance) << name;
    }
}

inline std::string activations(const ::testing::TestParamInfo<bool>& cut) {
    return cut.param ? "cut" : "whole";
}

INSTANTIATE_TEST_SUITE_P(activations, TensorParallel, ::testing::Bool(), activations);

TEST_P(TensorParallel, parameters_are_parts_of_what_one_rank_draws) {
    GptPipeline divided(job(), group_.get());
    const GptPipeline reference(alone(job()));
    const auto digests = divided.digests();
    if (group_->rank() == 0) {
        EXPECT_EQ(digests, reference.digests());
    } else {
        EXPECT_TRUE(digests.empty()) << "the group's first rank alone names them";
    }
    for (const Parameter& parameter : divided.rank(0).parameters()) {
        const bool small = parameter.value.dim() < 2 || parameter.name.starts_with("position");
        EXPECT_TRUE(small || parameter.cut) << parameter.name << " is held whole";
    }
}

TEST_P(TensorParallel, losses_and_gradients_are_those_of_the_model_written_anew) {
    for (const int pipeline : {1, 2}) {
        const Job divided_job = job(pipeline);
        GptPipeline divided(divided_job, group_.get());
        const SerialGpt serial = serial_gpt(divided_job, divided.parameters(), 3);
        divided.compute(random_order(pipeline, microbatches, 5, false), 3);
        EXPECT_NEAR(shared(divided.loss()), serial.loss, 1e-6 * serial.loss);
        expect_near(divided.gradients(), serial.gradients, 1e-5);
    }
}

TEST_P(TensorParallel, dropout_masks_are_those_of_one_rank) {
    Job dropping = job(2);
    dropping.model.dropout = 0.3;
    GptPipeline divided(dropping, group_.get());
    divided.compute(gpipe_order(2, microbatches), 1);
    GptPipeline reference(alone(dropping));
    reference.compute(gpipe_order(2, microbatches), 1);
    EXPECT_NEAR(shared(divided.loss()), reference.loss(), 1e-6 * reference.loss());
    expect_near(divided.gradients(), reference.gradients(), 1e-5);
}

TEST_P(TensorParallel, a_second_forward_for_the_backward_gives_the_same_bits) {
    Job keeping = job();
    keeping.model.dropout = 0.3;
    Job recomputing = keeping;
    recomputing.model.recompute = true;
    GptPipeline kept(keeping, group_.get());
    GptPipeline again(recomputing, group_.get());
    kept.compute(depth_first_order(1, microbatches), 0);
    again.compute(depth_first_order(1, microbatches), 0);
    EXPECT_EQ(kept.loss(), again.loss());
    const auto expected = kept.gradients();
    for (const auto& [name, value] : again.gradients()) {
        EXPECT_TRUE(value.equal(expected.at(name))) << name;
    }
}

TEST_P(TensorParallel, a_split_backward_gives_the_same_bits) {
    Job whole = job(2);
    whole.model.dropout = 0.3;
    Job halved = whole;
    halved.schedule.split_weight = true;
    GptPipeline unsplit(whole, group_.get());
    GptPipeline divided(halved, group_.get());
    const std::vector<Task> order = gpipe_order(2, microbatches);
    unsplit.compute(order, 0);
    divided.compute(split(order, WeightOrder::at_once), 0);
    EXPECT_EQ(divided.loss(), unsplit.loss());
    const auto expected = unsplit.gradients();
    for (const auto& [name, value] : divided.gradients()) {
        EXPECT_TRUE(value.equal(expected.at(name))) << name;
    }
}

TEST_P(TensorParallel, every_parameter_counts_once_in_the_gradient_norm) {
    GptPipeline divided(job(), group_.get());
    divided.compute(gpipe_order(1, microbatches), 0);
    double squares = divided.rank(0).gradient_square_sum();
    group_->all_reduce(std::span(&squares, 1), Reduction::sum);
    double expected = 0;
    for (const auto& [name, value] : divided.gradients()) {
        expected += value.to(at::kDouble).square().sum().item<double>();
    }
    EXPECT_NEAR(squares, expected, 1e-6 * expected);
}

TEST_P(TensorParallel, trained_parameters_follow_one_rank_and_stay_equal_over_the_group) {
    GptPipeline divided(job(), group_.get());
    GptPipeline reference(alone(job()));
    for (std::uint64_t iteration = 0; iteration < 5; ++iteration) {
        divided.compute(gpipe_order(1, microbatches), iteration);
        reference.compute(gpipe_order(1, microbatches), iteration);
        EXPECT_NEAR(shared(divided.loss()), reference.loss(), 1e-6 * reference.loss());
        divided.step(iteration);
        reference.step(iteration);
    }
    for (const Parameter& parameter : divided.rank(0).parameters()) {
        if (parameter.cut) continue;
        EXPECT_TRUE(same_everywhere(parameter.value)) << parameter.name;
    }
}

TEST_P(TensorParallel, evaluation_leaves_no_graph_and_no_gradient) {
    GptPipeline divided(job(2), group_.get());
    divided.evaluate(3);
    const double loss = shared(divided.loss());
    GptPipeline reference(alone(job(2)));
    reference.evaluate(3);
    EXPECT_NEAR(loss, reference.loss(), 1e-6 * reference.loss());
    for (const auto& [name, value] : divided.gradients()) EXPECT_EQ(value.norm().item<float>(), 0);
}

TEST_P(TensorParallel, a_checkpoint_holds_this_ranks_parts) {
    const testing::ScratchFolder folder;
    GptPipeline divided(job(), group_.get());
    divided.compute(gpipe_order(1, microbatches), 0);
    divided.step(0);
    const FileIdentity saved = divided.rank(0).save(folder.file("part"), {});
    const auto digests = divided.digests();
    GptPipeline resumed(job(), group_.get());
    EXPECT_EQ(resumed.rank(0).load(folder.file("part")), saved);
    EXPECT_EQ(resumed.digests(), digests);
    GptPipeline whole(alone(job()));
    EXPECT_THROW(whole.rank(0).load(folder.file("part")), std::runtime_error);
}

}  // namespace rrfp::test
