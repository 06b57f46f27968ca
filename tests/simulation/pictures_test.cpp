// Invariant: the pictures of docs/scheduling.md are what the simulator does.

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulation/run_case.h"

namespace rrfp {
namespace {

constexpr int ranks = 3;
constexpr int microbatches = 6;

/// F 10 ms, B 20 ms (split into B 10, W 10), and two accidents: 0F1 takes 40 ms, and a message 30.
Durations sample_of(const Pipeline& pipeline, const Task& late_message) {
    const double backward_ms = pipeline.split_weight ? 10 : 20;
    Durations sample = Durations::draw(
        pipeline, {.forward_ms = 10, .backward_ms = 20, .weight_ms = 20 - backward_ms}, {}, 0);
    sample.set_task_ms({TaskKind::forward, 0, 1}, 40);
    sample.set_message_ms(late_message, 30);
    return sample;
}

/// One line a rank, one cell of two letters for 10 ms: a task's name, then dashes.
std::string draw(const std::string& arbiter, const Pipeline& pipeline,
                 const std::vector<int>& limits, const Task& late_message) {
    const auto result =
        run_case(pipeline,
                 {.arbiter = arbiter,
                  .hint = make_hint(pipeline.split_weight ? "zb-h1" : "1f1b", pipeline),
                  .limits = limits},
                 sample_of(pipeline, late_message));
    std::string picture = fmt::format("{}, {} ms\n", arbiter, result.makespan_ms);
    for (int rank = 0; rank < ranks; ++rank) {
        const auto column = [](double ms) { return static_cast<std::size_t>(ms / 10 + 0.5) * 2; };
        std::string line(column(result.makespan_ms), '.');
        for (const TaskRecord& record : result.ranks[rank].tasks) {
            std::string bar(column(record.end_ms) - column(record.start_ms), '-');
            bar.replace(0, 2,
                        fmt::format("{}{}", letter(record.task.kind), record.task.microbatch));
            line.replace(column(record.start_ms), bar.size(), bar);
        }
        picture += fmt::format("  rank {}  {}\n", rank, line);
    }
    return picture;
}

std::string document() {
    std::ifstream file(RRFP_SOURCE_DIR "/docs/scheduling.md");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

void expect_shown(const std::string& picture) {
    EXPECT_TRUE(document().find(picture) != std::string::npos) << "docs/scheduling.md must show:\n"
                                                               << picture;
}

TEST(Pictures, AreWhatTheSimulatorDoes) {
    const Pipeline pipeline = one_stage_a_rank(ranks, microbatches);
    const Task gradient{TaskKind::backward, 1, 1};
    for (const char* arbiter : {"fixed", "bf"}) {
        expect_shown(draw(arbiter, pipeline, falling(pipeline), gradient));
    }
    for (const char* arbiter :
         {"bf", "fb", "tide", "b-priority", "f-priority", "critical-path", "order"}) {
        expect_shown(draw(arbiter, pipeline, falling(pipeline, 1), gradient));
    }
}

TEST(Pictures, OfTheSplitBackwardToo) {
    const Pipeline pipeline{
        .placement = Placement::loop(ranks), .microbatches = microbatches, .split_weight = true};
    const Task activation{TaskKind::forward, 0, 1};
    for (const char* arbiter : {"fixed", "bfw", "tide-w"}) {
        expect_shown(draw(arbiter, pipeline, flat(pipeline, ranks), activation));
    }
}

}  // namespace
}  // namespace rrfp
