#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "adapters/jobs/launch/error_output.h"
#include "adapters/jobs/launch/input_file.h"
#include "adapters/jobs/launch/job_leftovers.h"
#include "adapters/jobs/launch/job_watch.h"
#include "adapters/jobs/launch/mpirun_process.h"
#include "adapters/jobs/launch/mpirun_words.h"
#include "adapters/jobs/launch/signal_inbox.h"
#include "adapters/jobs/launch/start_watch.h"
#include "runtime/starpu/failing/life_signs.h"

namespace rrfp {

/// One job under mpirun, from its start to the end of all that belongs to it.
class Launch {
  public:
    /// Starts `arguments` as that many ranks, watched with that limit. Throws std::runtime_error.
    Launch(int ranks, double limit_s, const std::vector<std::string>& arguments,
           const std::string& input);

    /// As `launch_ranks`.
    int run();

  private:
    void wait_for_news();
    void read_errors();
    void finish_errors();
    void obey(int signal);
    void suspend();
    void look();
    void look_at_start();
    JobLook look_at_job();
    void remember_files(pid_t rank);
    void end_because(const std::string& fault);
    void ask_to_end();
    void end_survivors();
    int tell(int status);

    int ranks_;
    SignalInbox signals_;
    LifeSigns signs_;
    InputFile input_;
    ErrorOutput errors_;
    MpirunWords words_;
    std::string path_;
    MpirunProcess mpirun_;
    StartWatch start_;
    JobWatch watch_;
    JobFiles files_;
    std::int64_t next_look_ns_ = 0;
    std::int64_t kill_at_ns_ = 0;  ///< 0 = nobody has been asked to end
    int ended_by_ = 0;             ///< the signal by which this process was asked to end
    bool started_ = false;         ///< a rank has shown itself
    bool fault_ = false;
};

}  // namespace rrfp
