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

/// Marks mpirun's folder as one of a job of ours, for `remove_dead_leftovers`. It goes with the
/// folder.
void mark_files(const JobFiles& files);

/// Removes what earlier jobs of ours have left beside `files`: those whose launcher and mpirun were
/// both killed, so that nobody could. Only what bears our mark, and whose mpirun runs no more.
void remove_dead_leftovers(const JobFiles& files);

/// Removes what a killed mpirun has left of `files`: its folder, and memory of its ranks in
/// /dev/shm. Call it when no process of the job lives any more. Touches nothing that bears another
/// job's number.
void remove_leftovers(const JobFiles& files, pid_t mpirun);

}  // namespace rrfp
