#include <memory>

#include <fmt/format.h>
#include <sys/prctl.h>

#include "adapters/command/common/common_options.h"
#include "adapters/command/common/freed_memory.h"
#include "adapters/command/common/outputs.h"
#include "adapters/command/common/prepare.h"
#include "adapters/command/common/received_job.h"
#include "adapters/command/common/traced_launch.h"
#include "adapters/command/show/console.h"
#include "adapters/command/show/progress.h"
#include "adapters/command/show/result_text.h"
#include "adapters/command/verbs/subcommands.h"
#include "adapters/jobs/job/bad_input.h"
#include "adapters/jobs/launch/foreign_launcher.h"
#include "adapters/jobs/launch/launcher.h"
#include "adapters/jobs/launch/mpi_world.h"
#include "adapters/jobs/run/rank_run.h"
#include "adapters/jobs/surroundings/surroundings.h"
#include "runtime/mpi/mpi_start.h"
#include "runtime/starpu/failing/life_signs.h"

namespace rrfp {
namespace {

struct RunCommand {
    TorchProgram torch;
    CommonOptions options;
    std::string label;
    bool no_table = false;

    int run() const;

  private:
    int launch(const PreparedJob& prepared) const;
    int join(const MpiWorld& world) const;
    int run_as_rank(const HandedJob& handed, const MpiWorld& world) const;
};

int RunCommand::run() const {
    refuse_foreign_launcher();
    const MpiWorld world = detect_mpi_world();
    if (!world.present) return launch(Preparation(options).prepare_run());
    // Under the user's own mpirun nobody knows the job's kind before MPI is up, and then it is too
    // late to become another program.
    if (!world.launched_by_us) torch.prefer();
    return join(world);
}

/// As a rank of an MPI job.
int RunCommand::join(const MpiWorld& world) const {
    if (!world.launched_by_us && world.rank == 0 && !options.quiet) {
        print_notices(notices_of_rank());
    }
    show_life_sign(world.rank);
    const MpiStart mpi;
    const auto received = receive_job(world, [&] {
        const PreparedJob prepared = Preparation(options).prepare_run();
        check_world(prepared.job, world);
        return hand_over(prepared.job, prepared.plan);
    });
    if (const auto* none = std::get_if<NoJob>(&received)) return none->exit_code;
    const auto& handed = std::get<HandedJob>(received);
    if (!handed.job.synthetic()) torch.require();
    return run_as_rank(handed, world);
}

/// What this process alone has open, as the shell's `>(command)`, is nothing to rank 0, which
/// writes.
void refuse_own_descriptor(const char* option, const std::string& path) {
    const bool standard = path == "/dev/fd/1" || path == "/dev/fd/2";
    if (!path.starts_with("/dev/fd/") || standard) return;
    throw BadInput(
        fmt::format("{} {}: is open in this process alone, and a rank writes it; give "
                    "the name of a file",
                    option, path));
}

int RunCommand::launch(const PreparedJob& prepared) const {
    refuse_own_descriptor("--json", options.json);
    refuse_own_descriptor("--timeline", options.timeline);
    if (!options.quiet) require_output();  // mpirun writes there, and says nothing where it cannot
    // The file is for people who look at processes: ranks do not read it.
    std::vector<std::string> words = {rank_program(prepared.job), "run", options.job};
    const auto pass = [&](const char* name, const std::string& value) {
        if (!value.empty()) words.insert(words.end(), {name, value});
    };
    pass("--json", options.json);
    pass("--timeline", options.timeline);
    pass("--trace", options.trace);
    pass("--label", label);
    if (options.quiet) words.emplace_back("--quiet");
    if (no_table) words.emplace_back("--no-table");

    const Surroundings surroundings(demand_of(prepared.job));
    if (!options.quiet) print_notices(surroundings.notices());
    return launch_traced(prepared, words, options.trace, options.quiet);
}

int RunCommand::run_as_rank(const HandedJob& handed, const MpiWorld& world) const {
    prctl(PR_SET_NAME, "rrfp");
    keep_freed_memory();
    std::unique_ptr<Progress> progress;
    if (!options.quiet && world.rank == 0) {
        progress = std::make_unique<Progress>(world.terminal_columns, label);
    }
    RunHooks hooks{.make_trainer = torch.make_trainer, .trace_folder = options.trace};
    hooks.warned = [](const std::string& line) { print_error("warning: " + line); };
    if (progress) {
        hooks.iteration_ended = [&](const IterationNews& news) { progress->iteration_ended(news); };
        hooks.resumed = [&](const std::string& line) { progress->resumed(line); };
        hooks.evaluated = [&](int iteration, double loss) { progress->evaluated(iteration, loss); };
    }
    // Written before anything shuts down: what happens to a rank then costs no result.
    hooks.finished = [&](const RunResult& result) { write_outputs(options, result); };
    try {
        const std::optional<RunResult> result = run_rank(handed.job, handed.plan, hooks);
        progress.reset();
        if (result && !options.quiet && !no_table) print(run_text(*result));
        return 0;
    } catch (const RunStopped& stopped) {
        progress.reset();
        if (world.rank == 0) print_error(stopped.what());
        return stopped.exit_code();
    }
}

}  // namespace

void add_run(CLI::App& app, Command& chosen, const TorchProgram& torch) {
    auto command = std::make_shared<RunCommand>();
    command->torch = torch;
    CLI::App* run = app.add_subcommand("run", "Run a job: starts its ranks, or joins mpirun's");
    add_common_options(*run, command->options);
    // For `compare`, which prints a table of its own.
    run->add_option("--label", command->label)->group("");
    run->add_flag("--no-table", command->no_table)->group("");
    run->callback([command, &chosen] { chosen = [command] { return command->run(); }; });
}

}  // namespace rrfp
