#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace rrfp {

/// The files of one job that Open MPI keeps outside of our folders, found while its ranks live.
struct JobFiles {
    std::string session;  ///< mpirun's folder; empty = not known
    std::string job;      ///< Open MPI's number of the job, decimal; empty = not known

    bool known() const { return !session.empty() && !job.empty(); }
};

/// Out of what mpirun has set for its rank `pid`.
JobFiles job_files(pid_t pid);

/// Removes what a killed mpirun has left of `files`: its folder, and memory of its ranks in
/// /dev/shm. Call it when no process of the job lives any more. Touches nothing that bears another
/// job's number.
void remove_leftovers(const JobFiles& files, pid_t mpirun);

}  // namespace rrfp
