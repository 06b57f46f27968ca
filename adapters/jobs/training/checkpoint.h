#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "adapters/jobs/job/job.h"
#include "adapters/jobs/training/run_facts.h"
#include "adapters/plan/file_identity.h"

namespace rrfp {

/// A whole checkpoint: one file a rank in a folder of its own, and a manifest `checkpoint.json`
/// beside that folder. The manifest names the folder and says of each file what it holds; it is
/// replaced in one step when every rank's file is on disk. Files that no manifest names are the
/// rest of a save that was cut short.
struct Checkpoint {
    std::uint64_t iteration = 0;  ///< iterations done
    int ranks = 0;                ///< world ranks that wrote it
    std::string layout = {};      ///< which of them holds what, as `describe_layout` says it
    std::string model = {};       ///< what shapes the parameters, as `describe_model` says it
    RunFacts facts = {};          ///< what it was trained with; of format 2 the seed alone
    std::string run = {};         ///< SHA-256 of the last three; empty: of format 2
    std::string folder = {};      ///< holds the ranks' files
    std::vector<FileIdentity> files = {};  ///< one a rank; none: of format 2

    /// The file of `rank`, 0..ranks-1.
    std::string file(int rank) const;
    /// What that file says of itself.
    std::map<std::string, std::string> notes(int rank) const;
    /// Whether its files and facts can be told from others: not in format 2, whose manifests had
    /// neither.
    bool verifiable() const { return !files.empty(); }
};

/// The parts of a job that shape its parameters, e.g. `layers = 4, hidden = 64, ...`: checkpoints
/// move between jobs where these are equal.
std::string describe_model(const Job& job);

/// Which rank of a job holds which part of the model, e.g. `pipeline = 2, data = 1, tensor = 1,
/// stages on ranks [0, 1], layers [2, 2]`: a checkpoint is continued where this is equal.
std::string describe_layout(const Job& job);

/// SHA-256 of a checkpoint's model, layout and facts: which training it is of.
std::string run_of(const Checkpoint& checkpoint);

/// A checkpoint of `job` at `iteration`, without a place and files.
Checkpoint describe_checkpoint(const Job& job, std::uint64_t iteration);

}  // namespace rrfp
