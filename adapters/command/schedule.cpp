#include <memory>
#include <string>

#include <fmt/format.h>

#include "adapters/command/console.h"
#include "adapters/command/subcommands.h"
#include "adapters/command/timeline.h"
#include "adapters/jobs/bad_input.h"
#include "adapters/jobs/output_file.h"
#include "adapters/schedules/registry.h"
#include "runtime/core/hint_check.h"
#include "runtime/core/schedule_options.h"
#include "runtime/simulation/simulator.h"

namespace rrfp {
namespace {

struct ScheduleCommand {
    std::string name;
    int stages = 0;
    int ranks = 0;
    int microbatches = 0;
    bool csv = false;
    std::string svg;

    int run() const;

  private:
    Pipeline pipeline() const;
    std::string picture(const Pipeline& pipeline, const HintOrder& order) const;
};

/// One row a rank, one action a cell.
std::string csv_text(const Pipeline& pipeline, const HintOrder& order) {
    std::string text;
    for (const auto& list : order) {
        for (const Task& task : list) {
            text += to_action(task, pipeline.split_weight) + ',';
        }
        text.back() = '\n';
    }
    return text;
}

int ScheduleCommand::run() const {
    const Pipeline shape = pipeline();
    HintOrder order;
    try {
        order = make_hint(name, shape);
    } catch (const std::invalid_argument& error) {
        throw BadInput(error.what());
    }
    if (!svg.empty()) {
        if (const auto why = why_not_writable_file(svg))
            throw BadInput("--svg " + svg + ": " + *why);
        write_output(svg, picture(shape, order));
    }
    if (csv || svg.empty()) print(csv_text(shape, order));
    return 0;
}

Pipeline ScheduleCommand::pipeline() const {
    if (stages != ranks) {
        throw BadInput(fmt::format(
            "--stages {} --ranks {}: this version of rrfp runs one stage a rank; make them equal",
            stages, ranks));
    }
    return {.placement = Placement::loop(ranks), .microbatches = microbatches};
}

/// The order as it runs when a forward takes one unit of time and a backward two.
std::string ScheduleCommand::picture(const Pipeline& pipeline, const HintOrder& order) const {
    ScheduleOptions options{.arbiter = "fixed", .hint = order};
    for (const auto& list : order) options.limits.push_back(peak_in_flight(pipeline, list));
    std::vector<std::unique_ptr<Dispatcher>> dispatchers;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        dispatchers.push_back(make_dispatcher(pipeline, rank, options));
    }
    const StageTimes unit{.forward_ms = 1, .backward_ms = 2};
    const auto simulated =
        simulate(pipeline, dispatchers, Durations::draw(pipeline, unit, Jitter{}, 0));
    TimelinePanel panel{.title = name};
    for (const RankIteration& rank : simulated.ranks) panel.ranks.push_back(rank.tasks);
    return timeline_svg({panel});
}

}  // namespace

void add_schedule(CLI::App& app, Command& chosen) {
    auto command = std::make_shared<ScheduleCommand>();
    CLI::App* schedule = app.add_subcommand("schedule", "Print or draw a schedule");
    schedule->add_option("name", command->name, "The schedule, e.g. 1f1b")->required();
    schedule->add_option("--stages", command->stages, "Stages of the model")
        ->required()
        ->check(CLI::PositiveNumber);
    schedule->add_option("--ranks", command->ranks, "Pipeline ranks")
        ->required()
        ->check(CLI::PositiveNumber);
    schedule->add_option("--microbatches", command->microbatches, "Microbatches of an iteration")
        ->required()
        ->check(CLI::PositiveNumber);
    schedule->add_flag("--csv", command->csv, "Print it as CSV: one row a rank, the default");
    schedule->add_option("--svg", command->svg, "Draw it with F = 1 and B = 2 units of time")
        ->type_name("FILE");
    schedule->callback([command, &chosen] { chosen = [command] { return command->run(); }; });
}

}  // namespace rrfp
