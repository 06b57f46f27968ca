#include "adapters/command/common/common_options.h"

namespace rrfp {

void add_common_options(CLI::App& command, CommonOptions& options) {
    command.add_option("job", options.job, "The job file (TOML)")
        ->required()
        ->type_name("JOB.toml");
    command.add_option("--set", options.overrides, "Override a key of the job; repeatable")
        ->type_name("SECTION.KEY=VALUE")
        ->allow_extra_args(false);
    command.add_option("--json", options.json, "Write the report")->type_name("FILE");
    command.add_option("--timeline", options.timeline, "Draw the last iteration")
        ->type_name("FILE.svg");
    command.add_option("--trace", options.trace, "Leave a StarPU trace")->type_name("DIR");
    command.add_flag("--quiet", options.quiet, "Print errors only");
}

std::vector<std::string> override_words(const CommonOptions& options) {
    std::vector<std::string> words;
    for (const std::string& override_text : options.overrides) {
        words.insert(words.end(), {"--set", override_text});
    }
    return words;
}

}  // namespace rrfp
