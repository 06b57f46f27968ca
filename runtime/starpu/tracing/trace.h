#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace rrfp {

/// Whether the StarPU in use was built with FxT.
bool starpu_has_fxt();

/// Why a run cannot leave its trace in `folder`, with the remedy: its path is longer than StarPU's
/// tools take, or it holds rank files of another program, which are not ours to remove. Nothing
/// where it can, or where the folder is yet to be made.
std::optional<std::string> why_no_trace_folder(const std::string& folder);

/// That the disk of `folder` has fewer than `least_bytes` left, with the remedy: what was written
/// there last is then cut. FxT and StarPU's tools do not say which file it was, or nothing at all.
std::optional<std::string> why_trace_is_cut(const std::string& folder,
                                            std::uint64_t least_bytes = 16 << 10);

/// Makes `folder` ready for the FxT files of a new run: creates it, and removes those of an earlier
/// run of rrfp, which would be merged with the new ones; nothing else. Throws std::runtime_error
/// when StarPU was built without FxT, the folder cannot be written, or as `why_no_trace_folder`
/// says.
void prepare_trace_folder(const std::string& folder);

/// A folder without any trace file.
struct NoTraces : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct MergedTrace {
    std::string file;  ///< <folder>/paje.trace, for ViTE
    int ranks = 0;
    std::uint64_t states = 0;  ///< state changes of all threads, tasks among them
    std::uint64_t links = 0;   ///< messages drawn from sender to receiver
    /// The ranks' clocks were one, as on one node; otherwise StarPU has aligned them by the ranks'
    /// exits from a barrier, to a few milliseconds.
    bool one_clock = true;
};

/// Merges the FxT files that a run's ranks left in `folder` into a Paje trace there, with the
/// starpu_fxt_tool that belongs to StarPU. Call it when all ranks have ended.
///
/// Throws std::runtime_error that names the folder or file and the remedy: NoTraces where there
/// are no FxT files; a rank's file missing, a full disk, files of different runs, the tool missing
/// or failing.
MergedTrace merge_trace(const std::string& folder);

}  // namespace rrfp
