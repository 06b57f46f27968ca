#include "adapters/command/show/console.h"
#include "adapters/command/verbs/subcommands.h"
#include "adapters/jobs/file/job_markdown.h"

namespace rrfp {

void add_job_keys(CLI::App& app, Command& chosen) {
    CLI::App* keys = app.add_subcommand("job-keys", "Print the keys of a job file as Markdown");
    keys->callback([&chosen] {
        chosen = [] {
            print(job_keys_markdown());
            return 0;
        };
    });
}

}  // namespace rrfp
