#include "adapters/command/common/outputs.h"

#include "adapters/command/show/timeline.h"
#include "adapters/files/bounded_json.h"
#include "adapters/files/output_file.h"

namespace rrfp {

void write_outputs(const CommonOptions& options, const RunResult& result) {
    write_outputs(options, to_json(result), {result});
}

void write_outputs(const CommonOptions& options, const nlohmann::json& report,
                   const std::vector<RunResult>& runs) {
    if (!options.json.empty()) write_output(options.json, json_text(report) + "\n");
    if (!options.timeline.empty())
        write_output(options.timeline, timeline_svg(timeline_panels(runs)));
}

}  // namespace rrfp
