#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace rrfp {

/// A rank of an MPI job as /proc shows it.
struct RankProcess {
    int rank = 0;
    pid_t pid = 0;
    bool stopped = false;   ///< suspended, as by SIGSTOP
    bool watchdog = false;  ///< its watchdog beats: it is through with MPI's start
};

/// The ranks of this node below process `ancestor`, in their order. Knows Open MPI.
std::vector<RankProcess> rank_processes(pid_t ancestor);

/// Other processes of this node that were started with `variable` of that value, whoever is their
/// parent by now.
std::vector<pid_t> processes_with(const std::string& variable, const std::string& value);

/// Ends them at once.
void kill_processes_with(const std::string& variable, const std::string& value);

}  // namespace rrfp
