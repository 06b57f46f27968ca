#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "adapters/command/common/places.h"
#include "adapters/command/show/console.h"
#include "adapters/command/show/schedule_text.h"
#include "adapters/command/verbs/subcommands.h"
#include "adapters/files/output_file.h"
#include "adapters/jobs/job/bad_input.h"
#include "adapters/schedules/csv.h"
#include "adapters/schedules/faults.h"
#include "adapters/schedules/registry.h"
#include "adapters/schedules/table_check.h"

namespace rrfp {
namespace {

struct ScheduleCommand {
    std::string name;
    TableShape shape;
    bool csv = false;
    bool check = false;
    std::string svg;

    int run() const;

  private:
    Schedule named() const;
    Schedule checked() const;
};

Schedule ScheduleCommand::named() const {
    if (!shape.stages || !shape.ranks || !shape.microbatches) {
        throw BadInput("schedule " + name +
                       ": give --stages, --ranks and --microbatches; only a file has its own");
    }
    // A table of this size takes some seconds; a larger one is a slip of the finger.
    constexpr std::int64_t most_pairs = 250'000;
    if (std::int64_t{*shape.stages} * *shape.microbatches > most_pairs) {
        throw BadInput(fmt::format("--stages {} --microbatches {}: more than {} in all; lower one",
                                   *shape.stages, *shape.microbatches, most_pairs));
    }
    constexpr int most_ranks = 4096;  // as in a job
    if (*shape.ranks > most_ranks) {
        throw BadInput(fmt::format("--ranks {}: more than {}; lower it", *shape.ranks, most_ranks));
    }
    return make_schedule(name, *shape.stages, *shape.ranks, *shape.microbatches);
}

/// A generated schedule takes the same check as a file: it is what --check promises.
Schedule ScheduleCommand::checked() const {
    try {
        return check_table(is_hint_file(name) ? read_schedule_csv(name) : to_table(named(), name),
                           shape);
    } catch (const ScheduleFaults& faults) {
        throw BadInput(faults.messages());
    } catch (const std::invalid_argument& error) {
        throw BadInput(error.what());
    }
}

int ScheduleCommand::run() const {
    Places places;
    if (is_hint_file(name)) places.reads("the schedule", name);
    places.writes("--svg", svg);
    if (const auto faults = places.faults(); !faults.empty()) throw BadInput(faults);
    const Schedule schedule = checked();
    const Pipeline& pipeline = schedule.pipeline;
    if (!svg.empty()) {
        write_output(
            svg, timeline_svg({schedule_panel(name, schedule, unit_timetable(schedule))}, "units"));
    }
    if (csv) print(to_csv(schedule));
    if (check) {
        print(fmt::format(
            "{}: {} stages on {} ranks, {} microbatches: complete, in order, free of "
            "deadlock\n",
            name, pipeline.placement.stages(), pipeline.placement.ranks(), pipeline.microbatches));
    }
    if (!csv && !check && svg.empty()) {
        print(schedule_text(schedule, unit_timetable(schedule)));
    }
    return 0;
}

}  // namespace

void add_schedule(CLI::App& app, Command& chosen) {
    auto command = std::make_shared<ScheduleCommand>();
    CLI::App* schedule = app.add_subcommand("schedule", "Print, draw or check a schedule");
    schedule
        ->add_option("schedule", command->name,
                     "A name, e.g. 1f1b, or a file: it ends in .csv or holds a /")
        ->required();
    schedule->add_option("--stages", command->shape.stages, "Stages of the model; a file knows")
        ->check(CLI::PositiveNumber);
    schedule->add_option("--ranks", command->shape.ranks, "Pipeline ranks; a file knows")
        ->check(CLI::PositiveNumber);
    schedule
        ->add_option("--microbatches", command->shape.microbatches,
                     "Microbatches of an iteration; a file knows")
        ->check(CLI::PositiveNumber);
    schedule->add_flag("--csv", command->csv, "Print it as PyTorch's CSV: one row a rank");
    schedule->add_flag("--check", command->check,
                       "Only say whether it is whole, in order and free of deadlock");
    schedule->add_option("--svg", command->svg, "Draw it; F, I and W take a unit of time, B two")
        ->type_name("FILE");
    schedule->callback([command, &chosen] { chosen = [command] { return command->run(); }; });
}

}  // namespace rrfp
