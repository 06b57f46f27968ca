#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "adapters/command/show/console.h"
#include "adapters/command/verbs/subcommands.h"
#include "adapters/jobs/job/bad_input.h"
#include "runtime/starpu/tracing/trace.h"

namespace rrfp {
namespace {

int merge(const std::string& folder) try {
    if (!std::filesystem::is_directory(folder)) {
        throw BadInput(folder + ": is no folder; give the one that rrfp run --trace has filled");
    }
    const MergedTrace trace = merge_trace(folder);
    print(fmt::format("{}: {} ranks, {} states, {} messages{}; open it with vite\n", trace.file,
                      trace.ranks, trace.states, trace.links,
                      trace.one_clock ? "" : ", clocks aligned to a few milliseconds"));
    return 0;
} catch (const NoTraces& error) {
    throw BadInput(error.what());
}

}  // namespace

void add_trace(CLI::App& app, Command& chosen) {
    auto folder = std::make_shared<std::string>();
    CLI::App* trace = app.add_subcommand("trace", "Merge the trace files of a run's ranks");
    trace->add_option("folder", *folder, "What --trace named")->required()->type_name("DIR");
    trace->callback([folder, &chosen] { chosen = [folder] { return merge(*folder); }; });
}

}  // namespace rrfp
