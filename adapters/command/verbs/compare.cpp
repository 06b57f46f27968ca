#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "adapters/command/common/common_options.h"
#include "adapters/command/common/outputs.h"
#include "adapters/command/common/prepare.h"
#include "adapters/command/common/traced_launch.h"
#include "adapters/command/show/console.h"
#include "adapters/command/show/result_text.h"
#include "adapters/command/verbs/subcommands.h"
#include "adapters/files/bounded_json.h"
#include "adapters/jobs/job/bad_input.h"
#include "adapters/jobs/launch/foreign_launcher.h"
#include "adapters/jobs/launch/launcher.h"
#include "adapters/jobs/launch/mpi_world.h"
#include "adapters/jobs/report/report_reader.h"
#include "adapters/jobs/surroundings/surroundings.h"
#include "adapters/plan/nearest.h"
#include "runtime/core/shown_text.h"
#include "runtime/system/regular_file.h"

namespace rrfp {
namespace {

/// One arbiter's run: what is overridden for it, and where it leaves things.
struct Run {
    std::string label;  ///< the arbiter, numbered where it is named more than once
    CommonOptions options;
    PreparedJob prepared;
};

struct CompareCommand {
    CommonOptions options;
    std::string list;  ///< the arbiters' names, with commas between them

    int run() const;

  private:
    std::vector<std::string> arbiters(const Preparation& preparation) const;
    std::vector<Run> prepare() const;
    Run prepare_one(Preparation& preparation, const std::string& label,
                    const std::string& arbiter) const;
    int launch(const Run& run) const;
};

RunResult read_result(const Run& run) {
    constexpr FileKind report{.remedy = "the run has left no report"};
    return read_report(parse_json(read_file(run.options.json, report)), run.prepared.job);
}

int CompareCommand::run() const {
    refuse_foreign_launcher();
    if (detect_mpi_world().present) {
        throw BadInput("rrfp compare starts its own ranks; start it without mpirun");
    }
    std::vector<Run> runs = prepare();
    // They differ in their arbiters only.
    const Surroundings surroundings(demand_of(runs.front().prepared.job));
    if (!options.quiet) print_notices(surroundings.notices());
    std::vector<RunResult> results;
    for (Run& run : runs) {
        run.options.json = fmt::format("{}/{}.json", surroundings.folder(), results.size());
        if (const int code = launch(run)) return code;
        results.push_back(read_result(run));
    }
    nlohmann::json report{{"runs", nlohmann::json::array()}, {"speedup", nlohmann::json::array()}};
    for (const RunResult& result : results) {
        report["runs"].push_back(to_json(result));
        report["speedup"].push_back(speedup(results.front(), result));
    }
    write_outputs(options, report, results);
    if (!options.quiet) print(comparison_text(results));
    return 0;
}

/// The names of `--arbiters`, each of them an arbiter's that the job may have.
std::vector<std::string> CompareCommand::arbiters(const Preparation& preparation) const {
    const std::vector<std::string> known = preparation.arbiters();
    std::vector<std::string> names;
    std::size_t comma = 0;
    for (std::size_t begin = 0; comma != std::string::npos; begin = comma + 1) {
        comma = list.find(',', begin);
        const std::string name = list.substr(begin, comma - begin);
        if (std::ranges::find(known, name) == known.end()) {
            throw BadInput(
                fmt::format("--arbiters {}: {}; {}", shown(list),
                            name.empty() ? "an empty name" : "unknown arbiter '" + name + "'",
                            known_words(name, known)));
        }
        names.push_back(name);
    }
    return names;
}

/// `arbiter`, or the first of `arbiter-2`, `arbiter-3` … that no run has. It names folders, and a
/// plugin's arbiters may be called anything.
std::string free_label(std::string arbiter, const std::vector<Run>& runs) {
    std::ranges::replace(arbiter, '/', '_');
    std::string label = arbiter;
    for (int number = 2; std::ranges::find(runs, label, &Run::label) != runs.end(); ++number) {
        label = fmt::format("{}-{}", arbiter, number);
    }
    return label;
}

/// Every run is prepared, and so checked, before the first one starts.
std::vector<Run> CompareCommand::prepare() const {
    Preparation preparation(options);
    std::vector<Run> runs;
    for (const std::string& arbiter : arbiters(preparation)) {
        runs.push_back(prepare_one(preparation, free_label(arbiter, runs), arbiter));
    }
    return runs;
}

Run CompareCommand::prepare_one(Preparation& preparation, const std::string& label,
                                const std::string& arbiter) const {
    const auto below = [&](const std::string& folder) {
        return (std::filesystem::path(folder) / label).string();
    };
    std::vector<std::string> choices = {"schedule.arbiter=" + arbiter};
    if (const std::string folder = preparation.checkpoint(); !folder.empty()) {
        // Runs must not continue from each other's parameters.
        choices.push_back("output.checkpoint=" + below(folder));
    }
    Run run{.label = label, .options = options, .prepared = preparation.prepare_run(choices)};
    run.options.timeline.clear();
    if (!options.trace.empty()) run.options.trace = below(options.trace);
    return run;
}

int CompareCommand::launch(const Run& run) const {
    std::vector<std::string> words = {rank_program(run.prepared.job), "run", run.options.job};
    words.insert(words.end(), {"--json", run.options.json, "--label", run.label, "--no-table"});
    if (!run.options.trace.empty()) {
        words.insert(words.end(), {"--trace", run.options.trace});
    }
    if (options.quiet) words.emplace_back("--quiet");
    return launch_traced(run.prepared, words, run.options.trace, options.quiet);
}

}  // namespace

void add_compare(CLI::App& app, Command& chosen) {
    auto command = std::make_shared<CompareCommand>();
    CLI::App* compare = app.add_subcommand("compare", "Run a job under several arbiters in turn");
    add_common_options(*compare, command->options);
    compare->add_option("--arbiters", command->list, "The arbiters; the first is the reference")
        ->required()
        ->type_name("A,B,...");
    compare->callback([command, &chosen] { chosen = [command] { return command->run(); }; });
}

}  // namespace rrfp
