#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapters/jobs/surroundings/demand.h"
#include "adapters/jobs/surroundings/environment.h"
#include "runtime/system/fact.h"
#include "runtime/system/own_folder.h"

namespace rrfp {

/// What this machine and this environment offer a job, one fact a thing. Changes nothing but limits
/// that the process may raise by itself. Call it while this process has one thread.
std::vector<Fact> examine_surroundings(const Demand& demand);

/// The surroundings of one run, from before its start to after its end.
///
/// It removes what runs of this user left that were killed, makes the folder for the files of this
/// one, and sets the environment variables that Open MPI and the ranks read: see docs/machine.md.
class Surroundings {
  public:
    /// Throws std::runtime_error, with all that the machine lacks and the remedies, a line each,
    /// where the job cannot run.
    explicit Surroundings(const Demand& demand);

    /// Of the run's files, and for what else must go with the run.
    const std::string& folder() const { return folder_->path(); }
    /// What the job runs in spite of, a line each.
    const std::vector<std::string>& notices() const { return notices_; }

  private:
    std::vector<std::string> notices_;
    std::optional<OwnFolder> folder_;
    ScopedVariables variables_;
};

/// What a rank that the user's own mpirun has started does without, a line each. Call it before MPI
/// is initialised.
std::vector<std::string> notices_of_rank();

}  // namespace rrfp
