#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "adapters/command/common/torch_program.h"

namespace rrfp {

/// What the parsed command line asks for; returns the exit code.
using Command = std::function<int()>;

// One a file: adds its subcommand to `app` and sets `chosen` when the command line names it.

void add_run(CLI::App& app, Command& chosen, const TorchProgram& torch);
void add_compare(CLI::App& app, Command& chosen);
void add_simulate(CLI::App& app, Command& chosen);
void add_plan(CLI::App& app, Command& chosen);
void add_doctor(CLI::App& app, Command& chosen, const TorchProgram& torch);
void add_trace(CLI::App& app, Command& chosen);
void add_schedule(CLI::App& app, Command& chosen);
void add_job_keys(CLI::App& app, Command& chosen);

}  // namespace rrfp
