// Guards: the report's keys and their arithmetic, null for what does not exist, and that a report
// reads back as the result it was made from, bit for bit.

#include "adapters/jobs/report/report.h"

#include <limits>

#include <gmock/gmock.h>

#include "adapters/jobs/report/report_reader.h"
#include "adapters/jobs/run/simulated_run.h"
#include "tests/jobs/job_text.h"

namespace rrfp {
namespace {

RunResult result_of(std::vector<double> times) {
    RunResult result;
    result.job.train.microbatches = 8;
    result.job.train.microbatch_size = 4;
    for (const double ms : times) result.iterations.push_back({.milliseconds = ms, .loss = ms / 3});
    result.parameters_sha256 = "abc";
    return result;
}

TEST(Report, TheMedianLeavesTheFirstIterationOut) {
    EXPECT_EQ(result_of({1000, 30, 10, 20}).median_ms(), 20);
    EXPECT_EQ(result_of({1000, 30, 10}).median_ms(), 20);
    EXPECT_EQ(result_of({7}).median_ms(), 7);
    EXPECT_EQ(result_of({}).median_ms(), 0);
}

TEST(Report, SamplesPerSecond) {
    EXPECT_DOUBLE_EQ(result_of({1000, 16}).samples_per_second(), 8 * 4 / 0.016);
}

TEST(Report, WhatIsNoNumberIsNull) {
    RunResult result = result_of({10, 20});
    result.iterations.back().loss = std::numeric_limits<double>::quiet_NaN();
    result.evaluations = {std::nullopt, 2.5};
    result.parameters_sha256.clear();
    const nlohmann::json report = to_json(result);
    EXPECT_TRUE(report.at("iterations").at(1).at("loss").is_null());
    EXPECT_TRUE(report.at("summary").at("loss").is_null());
    EXPECT_TRUE(report.at("summary").at("parameters_sha256").is_null());
    EXPECT_EQ(report.at("evaluations"), nlohmann::json::parse("[null, 2.5]"));
    EXPECT_NO_THROW(nlohmann::json::parse(report.dump()));
}

TEST(Report, ARunWithNothingToDoHasNoTimes) {
    const nlohmann::json summary = to_json(result_of({})).at("summary");
    for (const char* key : {"median_ms", "samples_per_second", "loss"}) {
        EXPECT_TRUE(summary.at(key).is_null()) << key;
    }
}

TEST(Report, HasTheDocumentedKeys) {
    const Job job = testing::job_of(testing::synthetic);
    const nlohmann::json report = to_json(simulate_run(job, plan_of(job)));
    for (const char* key :
         {"job", "machine", "version", "iterations", "summary", "ranks", "order", "timeline"}) {
        EXPECT_TRUE(report.contains(key)) << key;
    }
    const auto& rank = report.at("ranks").at(3);
    EXPECT_EQ(rank.at("rank"), 3);
    for (const char* key : {"compute_ms", "blocking_ms", "tp_coordination_ms"}) {
        EXPECT_TRUE(rank.at(key).is_number()) << key;
    }
    EXPECT_EQ(rank.at("in_flight_high_water"), 1);
    for (const char* buffer :
         {"forward_ready", "forward_finished", "backward_ready", "backward_finished"}) {
        EXPECT_TRUE(rank.at("buffers").at(buffer).contains("high_water")) << buffer;
        EXPECT_TRUE(rank.at("buffers").at(buffer).contains("bytes_high_water")) << buffer;
    }
    EXPECT_EQ(report.at("order").at(3).at(0), "3F0");
    EXPECT_EQ(report.at("order").at(3).at(1), "3B0");
    EXPECT_EQ(report.at("order").at(0).size(), 16u);
}

TEST(Report, WhatIsHeldForWeightGradientsIsCountedWithTheSplitAlone) {
    const auto ranks = [](bool split) {
        const Job job = testing::job_of(
            testing::synthetic, {std::string("schedule.split_weight=") + (split ? "true" : "false"),
                                 "model.weight_ms=5", "schedule.limit=3", "jitter.compute_cv=1"});
        return to_json(simulate_run(job, plan_of(job))).at("ranks");
    };
    for (const auto& rank : ranks(true)) {
        const int held = rank.at("held_for_weights").at("high_water");
        EXPECT_GE(held, 1);
        EXPECT_LE(held, rank.at("in_flight_high_water").get<int>());
    }
    for (const auto& rank : ranks(false)) EXPECT_EQ(rank["held_for_weights"]["high_water"], 0);
}

TEST(Report, ReadsBackTheSameBits) {
    const Job job = testing::job_of(
        testing::synthetic,
        {"jitter.compute_cv=0.7", "schedule.split_weight=true", "model.weight_ms=5"});
    RunResult result = simulate_run(job, plan_of(job));
    result.iterations.front().loss = 1.0 / 3;
    result.iterations.front().gradient_norm = 2.0 / 3;
    result.evaluations = {0.1 + 0.2};
    result.parameters_sha256 = "abc";
    const nlohmann::json report = nlohmann::json::parse(to_json(result).dump());
    EXPECT_EQ(to_json(read_report(report, job)), report);
    EXPECT_THROW(read_report(nlohmann::json::object(), job), std::runtime_error);
}

}  // namespace
}  // namespace rrfp
