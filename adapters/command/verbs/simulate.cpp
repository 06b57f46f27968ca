#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "adapters/command/common/common_options.h"
#include "adapters/command/common/outputs.h"
#include "adapters/command/common/prepare.h"
#include "adapters/command/show/console.h"
#include "adapters/command/show/result_text.h"
#include "adapters/command/verbs/subcommands.h"
#include "adapters/files/output_file.h"
#include "adapters/jobs/job/bad_input.h"
#include "adapters/jobs/job/job_size.h"
#include "adapters/jobs/run/simulated_run.h"
#include "runtime/simulation/durations_csv.h"
#include "runtime/system/regular_file.h"

namespace rrfp {
namespace {

struct SimulateCommand {
    CommonOptions options;
    std::string durations;
    std::string write_durations;
    int iteration = 0;  ///< counted from 1; 0 = the last

    int run() const;

  private:
    std::optional<Durations> given(const Job& job) const;
    void check(const Job& job) const;
    void write(const Job& job, const std::optional<Durations>& durations) const;
};

int SimulateCommand::run() const {
    Places places;
    places.reads("--durations", durations);
    places.writes("--write-durations", write_durations);
    const PreparedJob prepared = Preparation(options, std::move(places)).prepare();
    const Job& job = prepared.job;
    check(job);
    const std::optional<Durations> sample = given(job);
    const RunResult result = simulate_run(job, prepared.plan, sample);
    if (!write_durations.empty()) write(job, sample);
    write_outputs(options, result);
    if (!options.quiet) print(run_text(result));
    return 0;
}

void SimulateCommand::check(const Job& job) const {
    const bool timed = job.model.forward_ms && job.model.backward_ms;
    if (!timed && durations.empty()) {
        throw BadInput(options.job +
                       ": model.forward_ms and model.backward_ms are not given, so a simulation "
                       "does not know how long tasks take; add them, or give --durations FILE.csv");
    }
    if (!options.trace.empty()) {
        throw BadInput("--trace " + options.trace +
                       ": a simulation runs nothing on StarPU; use --timeline for a picture");
    }
    // All ranks are in one process.
    constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
    if (const std::int64_t bytes = all_table_bytes(job); bytes > most_bytes) {
        throw BadInput(fmt::format(
            "{}: parallel.pipeline = {} ranks of {} stages and train.microbatches = {} take about "
            "{} MB to simulate, more than {}; lower one of them",
            options.job, job.parallel.pipeline, job.placement().stages(), job.train.microbatches,
            bytes / 1'000'000, most_bytes / 1'000'000));
    }
    if (iteration > job.train.iterations) {
        throw BadInput(
            fmt::format("--iteration {}: the job has train.iterations = {}; give one "
                        "of them, counted from 1",
                        iteration, job.train.iterations));
    }
}

std::optional<Durations> SimulateCommand::given(const Job& job) const {
    if (durations.empty()) return std::nullopt;
    try {
        constexpr FileKind table{.remedy = "give a durations table", .most_bytes = 256 << 20};
        return parse_durations_csv(job.pipeline(), read_file(durations, table), durations);
    } catch (const std::invalid_argument& error) {
        throw BadInput(error.what());
    }
}

void SimulateCommand::write(const Job& job, const std::optional<Durations>& sample) const {
    const int which = (iteration > 0 ? iteration : job.train.iterations) - 1;
    std::ostringstream text;
    write_durations_csv(job.pipeline(), sample ? *sample : draw_durations(job, which), text);
    write_output(write_durations, text.str());
}

}  // namespace

void add_simulate(CLI::App& app, Command& chosen) {
    auto command = std::make_shared<SimulateCommand>();
    CLI::App* simulate = app.add_subcommand("simulate", "Run a job in virtual time");
    add_common_options(*simulate, command->options);
    simulate
        ->add_option(
            "--durations", command->durations,
            "Realised durations, for every iteration, instead of the job's own draws; without "
            "SEND rows messages take no time")
        ->type_name("FILE.csv");
    simulate
        ->add_option("--write-durations", command->write_durations,
                     "Write the durations of one iteration")
        ->type_name("FILE.csv");
    simulate
        ->add_option("--iteration", command->iteration,
                     "The iteration --write-durations is about, from 1; the last one when absent")
        ->check(CLI::PositiveNumber);
    simulate->callback([command, &chosen] { chosen = [command] { return command->run(); }; });
}

}  // namespace rrfp
