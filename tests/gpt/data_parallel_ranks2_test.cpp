// Two replicas that each compute half of an iteration's microbatches end with one another's bits,
// and with what one replica learns from all microbatches. Each bucket is reduced once an iteration.
#include <cmath>
#include <memory>

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include "adapters/collectives/mpi_collectives.h"
#include "adapters/gpt/optimizer/gradient_buckets.h"
#include "tests/gpt/gpt_pipeline.h"
#include "tests/gpt/serial_gpt.h"
#include "tests/mpi/mpi_environment.h"

namespace rrfp::test {
namespace {

constexpr int steps = 3;

class DataParallelTest : public ::testing::Test {
  protected:
    void SetUp() override {
        ASSERT_EQ(testing::MpiEnvironment::mpi().ranks(), 2);
        replicas_ =
            make_mpi_collectives(std::vector{0, 1}, {.name = "replicas", .wait_seconds = 30});
    }

    double mean(double value) const {
        replicas_->all_reduce(std::span(&value, 1), Reduction::sum);
        return value / 2;
    }

    std::unique_ptr<Collectives> replicas_;
};

void expect_near(const std::map<std::string, at::Tensor>& gradients,
                 const std::map<std::string, at::Tensor>& expected) {
    for (const auto& [name, gradient] : gradients) {
        const double scale = expected.at(name).norm().item<double>();
        EXPECT_LE(gradient.sub(expected.at(name)).norm().item<double>(), 1e-6 * scale) << name;
    }
}

std::vector<Task> order_of(const Job& job, std::uint64_t seed) {
    return random_order(job.placement().stages(), job.train.microbatches, seed, true);
}

TEST_F(DataParallelTest, ReplicasEqualOneReplicaOnTheJoinedBatch) {
    for (const bool split_weight : {false, true}) {
        Job job = small_job(2);
        job.parallel.chunks = 2;
        job.model.dropout = 0.1;
        job.train.learning_rate = 0.01;
        Job whole = job;
        whole.parallel.pipeline = 1;
        whole.parallel.chunks = 1;
        whole.train.microbatches = 2 * job.train.microbatches;
        job.parallel.data = 2;
        job.schedule.split_weight = split_weight;

        GptPipeline replica(job, nullptr, replicas_.get());
        GptPipeline reference(whole);
        for (int i = 0; i < steps; ++i) {
            // Replicas come through the iteration in different orders.
            auto order = order_of(job, static_cast<std::uint64_t>(2 * i + replicas_->rank()));
            if (split_weight) order = split(order, WeightOrder::last);
            replica.compute(order, static_cast<std::uint64_t>(i));
            reference.compute(order_of(whole, 0), static_cast<std::uint64_t>(i));
            EXPECT_NEAR(mean(replica.loss()) / reference.loss(), 1, 1e-6);
            // Later ones follow optimizer steps, which magnify the rounding of tiny gradients.
            if (i == 0) expect_near(replica.gradients(), reference.gradients());
            replica.step(static_cast<std::uint64_t>(i));
            reference.step(static_cast<std::uint64_t>(i));
            for (const auto& [name, value] : replica.parameters()) {
                const at::Tensor own = value.detach().flatten().contiguous();
                at::Tensor most = own.clone();
                replicas_->all_reduce(std::span(most.mutable_data_ptr<float>(),
                                                static_cast<std::size_t>(most.numel())),
                                      Reduction::max);
                EXPECT_TRUE(own.equal(most)) << name << " differs between replicas";
            }
        }
    }
}

TEST_F(DataParallelTest, R08TheMeanOverAllReplicasEntersOnce) {
    for (const int microbatches : {1, 4}) {
        Job job = small_job(2);
        job.parallel.data = 2;
        job.train.microbatches = microbatches;
        GptPipeline replica(job, nullptr, replicas_.get());
        replica.compute(order_of(job, 1), 0);
        Job joined = job;
        joined.train.microbatches = 2 * microbatches;
        const SerialGpt serial = serial_gpt(joined, replica.parameters(), 0);
        EXPECT_NEAR(mean(replica.loss()) / serial.loss, 1, 1e-6);
        expect_near(replica.gradients(), serial.gradients);
    }
}

TEST_F(DataParallelTest, EvaluationReadsEveryMicrobatchOnce) {
    Job job = small_job(1);
    job.train.evaluation_microbatches = 4;  // of both replicas together
    Job whole = job;
    job.parallel.data = 2;
    GptPipeline replica(job, nullptr, replicas_.get());
    GptPipeline reference(whole);
    replica.evaluate(2);
    reference.evaluate(4);
    const double sum = mean(replica.rank(0).loss_sum()) * 2;
    EXPECT_NEAR(sum / reference.rank(0).loss_sum(), 1, 1e-12);
}

}  // namespace
}  // namespace rrfp::test
