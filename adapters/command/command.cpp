#include "adapters/command/command.h"

#include <csignal>
#include <poll.h>
#include <sstream>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "adapters/command/show/console.h"
#include "adapters/command/verbs/subcommands.h"
#include "adapters/jobs/job/bad_input.h"
#include "adapters/jobs/launch/foreign_launcher.h"
#include "runtime/core/version.h"
#include "runtime/system/standard_streams.h"

namespace rrfp {
namespace {

constexpr int failed = 1;
constexpr int bad_input = 2;

/// Under MPI every rank finds the same fault, and rank 0 alone tells. mpirun ends the others when
/// rank 0 has ended; one that alone has the fault speaks when it was not ended for a while.
void let_rank_zero_speak() {
    constexpr int patience_ms = 2000;
    if (rank_by_any_launcher() > 0) poll(nullptr, 0, patience_ms);
}

int parse(CLI::App& app, int argc, char** argv) {
    try {
        app.parse(argc, argv);
        return 0;
    } catch (const CLI::Success& asked) {
        std::ostringstream text;  // of --help or --version
        const int code = app.exit(asked, text, text);
        print(text.view());
        return code;
    } catch (const CLI::ParseError& error) {
        let_rank_zero_speak();
        print_error(std::string(error.what()) + "; see rrfp --help");
        return bad_input;
    }
}

}  // namespace

int run_command(int argc, char** argv, TorchProgram::TrainerMaker make_trainer) try {
    open_closed_streams();
    // A parent that ignored SIGCHLD would cost us how the programs that we start have ended.
    std::signal(SIGCHLD, SIG_DFL);
    const TorchProgram torch{.make_trainer = std::move(make_trainer), .arguments = argv};
    CLI::App app("Readiness-first pipeline-parallel training on StarPU");
    app.name("rrfp");
    app.set_version_flag("--version", "rrfp " + std::string(version));
    app.require_subcommand(1);
    Command chosen;
    add_run(app, chosen, torch);
    add_compare(app, chosen);
    add_simulate(app, chosen);
    add_plan(app, chosen);
    add_doctor(app, chosen, torch);
    add_trace(app, chosen);
    add_schedule(app, chosen);
    add_job_keys(app, chosen);
    const int code = parse(app, argc, argv);
    return chosen && code == 0 ? chosen() : code;
} catch (const BadInput& error) {
    let_rank_zero_speak();
    for (const std::string& message : error.messages()) print_error(message);
    return bad_input;
} catch (const std::exception& error) {
    print_error(error.what());
    return failed;
}

}  // namespace rrfp
