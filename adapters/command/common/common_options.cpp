#include "adapters/command/common/common_options.h"

namespace rrfp {

void add_job_options(CLI::App& command, CommonOptions& options) {
    command.add_option("job", options.job, "The job file (TOML)")
        ->required()
        ->type_name("JOB.toml");
    command.add_option("--set", options.overrides, "Override a key of the job; repeatable")
        ->type_name("SECTION.KEY=VALUE")
        ->allow_extra_args(false);
    command.add_option("--json", options.json, "Write the report, or the plan")->type_name("FILE");
    command.add_flag("--quiet", options.quiet, "Print errors only");
}

void add_common_options(CLI::App& command, CommonOptions& options) {
    add_job_options(command, options);
    command.add_option("--timeline", options.timeline, "Draw the last iteration")
        ->type_name("FILE.svg");
    command.add_option("--trace", options.trace, "Leave a StarPU trace")->type_name("DIR");
}

}  // namespace rrfp
