#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "adapters/jobs/job/job.h"
#include "adapters/plan/file_identity.h"

namespace rrfp {

/// A new folder below `folder` for the ranks' files of a save at `iteration`, made here, and marked
/// as one that a later save may remove; no name that is taken is used. For rank 0 alone.
/// std::runtime_error with path and reason.
std::string begin_save(const std::string& folder, std::uint64_t iteration);

/// Declares the save in `save_folder`, which `begin_save` made, whole: `files` are what the ranks
/// wrote there, in their order. Then removes the checkpoint that was in force before, and what
/// saves cut short have left; of these exactly the files that a save writes, so that whatever else
/// lies there stays. For rank 0 alone. std::runtime_error with path and reason when a rank's file
/// is missing or the manifest cannot be written: the old one stays in force.
void commit_save(const Job& job, std::uint64_t iteration, const std::string& save_folder,
                 std::vector<FileIdentity> files);

}  // namespace rrfp
