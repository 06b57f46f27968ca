#include "adapters/command/common/traced_launch.h"

#include <fmt/format.h>

#include "adapters/command/show/console.h"
#include "adapters/files/output_file.h"
#include "adapters/jobs/file/handed_job.h"
#include "adapters/jobs/job/bad_input.h"
#include "adapters/jobs/launch/launcher.h"
#include "runtime/starpu/tracing/trace.h"

namespace rrfp {

int launch_traced(const PreparedJob& prepared, const std::vector<std::string>& words,
                  const std::string& trace_folder, bool quiet) {
    const int code = launch_ranks(prepared.job, words, hand_over(prepared.job, prepared.plan));
    if (trace_folder.empty()) return code;
    if (code != 0) {
        if (const auto cut = why_trace_is_cut(trace_folder)) print_error(*cut);
        return code;
    }
    const MergedTrace trace = merge_trace(trace_folder);
    if (!quiet)
        print(fmt::format("trace {} ({} messages); open it with vite\n", trace.file, trace.links));
    return 0;
}

void check_trace_folder(const std::string& folder) {
    if (folder.empty()) return;
    if (!starpu_has_fxt()) {
        throw BadInput(
            "--trace " + folder +
            ": this StarPU was built without FxT; run scripts/setup for one that traces");
    }
    for (const auto why_not : {why_no_trace_folder, why_not_writable_folder}) {
        if (const auto why = why_not(folder)) throw BadInput("--trace " + folder + ": " + *why);
    }
    constexpr std::uint64_t least_bytes = 1 << 20;  // what a short run of few ranks leaves
    if (const auto why = why_trace_is_cut(folder, least_bytes)) throw BadInput("--trace: " + *why);
}

}  // namespace rrfp
