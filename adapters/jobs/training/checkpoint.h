#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "adapters/jobs/job/job.h"

namespace rrfp {

/// A whole checkpoint: one file a rank in a folder of its own, and a manifest `checkpoint.json`
/// beside that folder. The manifest names the folder and is replaced in one step when every rank's
/// file is on disk; files that no manifest names are the rest of a save that was cut short.
struct Checkpoint {
    std::uint64_t iteration = 0;  ///< iterations done
    int ranks = 0;                ///< world ranks that wrote it
    std::string layout = {};      ///< which of them holds what, as `describe_layout` says it
    std::uint64_t seed = 0;       ///< `train.seed`
    std::string model = {};       ///< what shapes the parameters, as `describe_model` says it
    std::string folder = {};      ///< holds the ranks' files

    /// The file of `rank`, 0..ranks-1.
    std::string file(int rank) const;
};

/// The parts of a job that shape its parameters, e.g. `layers = 4, hidden = 64, ...`: checkpoints
/// move between jobs where these are equal.
std::string describe_model(const Job& job);

/// Which rank of a job holds which part of the model, e.g. `pipeline = 2, data = 1, tensor = 1,
/// stages on ranks [0, 1], layers [2, 2]`: a checkpoint is continued where this is equal.
std::string describe_layout(const Job& job);

/// The whole checkpoint in `folder`, or none when it holds no manifest. std::runtime_error that
/// names the file when the manifest cannot be read, is not one, or lacks a rank's file.
std::optional<Checkpoint> find_checkpoint(const std::string& folder);

/// The checkpoint that `job` continues from: none unless `[output] resume` asks for one and the
/// folder holds one. std::runtime_error, naming both sides, when it is of another model, of
/// another layout, another seed, or past the job's last iteration; naming the file when
/// one of a rank is not whole.
std::optional<Checkpoint> check_checkpoint(const Job& job);

/// Where `rank` writes its part of the next checkpoint: never over a file of the checkpoint in
/// force. Every rank gets the same folder as long as none has committed; creates it.
/// std::runtime_error with path and reason when it cannot.
std::string checkpoint_file(const std::string& folder, std::uint64_t iteration, int rank);

/// Declares the checkpoint at `iteration` whole, once every rank's `checkpoint_file` is, and then
/// removes the one that was in force before. For rank 0 alone. std::runtime_error with path and
/// reason when a rank's file is missing or the manifest cannot be written: the old one stays.
void commit_checkpoint(const Job& job, std::uint64_t iteration);

}  // namespace rrfp
