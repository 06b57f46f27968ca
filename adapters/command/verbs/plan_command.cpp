#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "adapters/command/common/common_options.h"
#include "adapters/command/common/prepare.h"
#include "adapters/command/show/console.h"
#include "adapters/command/show/plan_text.h"
#include "adapters/command/verbs/subcommands.h"
#include "adapters/files/bounded_json.h"
#include "adapters/files/output_file.h"
#include "adapters/jobs/file/job_json.h"

namespace rrfp {
namespace {

struct PlanCommand {
    CommonOptions options;

    int run() const {
        const PreparedJob prepared = Preparation(options).prepare();
        if (!options.json.empty()) {
            const nlohmann::json all = {{"hash", prepared.plan.hash()},
                                        {"plan", nlohmann::json::parse(prepared.plan.text())},
                                        {"job", to_json(prepared.job)}};
            write_output(options.json, json_text(all) + "\n");
        }
        if (!options.quiet) print(describe(prepared.plan));
        return 0;
    }
};

}  // namespace

void add_plan(CLI::App& app, Command& chosen) {
    auto command = std::make_shared<PlanCommand>();
    CLI::App* plan = app.add_subcommand("plan", "Print what a job's ranks would run by");
    add_job_options(*plan, command->options);
    plan->callback([command, &chosen] { chosen = [command] { return command->run(); }; });
}

}  // namespace rrfp
