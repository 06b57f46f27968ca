#include "adapters/jobs/launch/launch_end.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/wait.h>

namespace rrfp {
namespace {

constexpr int failed = 1;
constexpr int bad_input = 2;

bool any_contains(const std::vector<std::string>& notices, std::string_view text) {
    return std::ranges::any_of(notices, [text](const std::string& notice) {
        return notice.find(text) != std::string::npos;
    });
}

std::string join(const std::vector<std::string>& notices) {
    std::string joined;
    for (const std::string& notice : notices) joined += notice;
    return joined;
}

/// Whether the launcher has set the variable by itself.
bool is_own_setting(std::string_view name) {
    const char* own = std::getenv(own_settings_variable);
    std::istringstream names(own ? own : "");
    for (std::string word; names >> word;) {
        if (word == name) return true;
    }
    return false;
}

/// What Open MPI is told by the environment that the job was started with: the usual cause of a
/// start that fails.
std::string open_mpi_settings() {
    std::string settings;
    for (char* const* variable = environ; *variable; ++variable) {
        const std::string_view text(*variable);
        if (is_own_setting(text.substr(0, text.find('=')))) continue;
        for (const char* prefix : {"OMPI_MCA_", "OPAL_PREFIX=", "PRTE_MCA_", "PMIX_MCA_",
                                   "SLURM_JOB_ID=", "SLURM_NODELIST="}) {
            if (text.starts_with(prefix))
                settings += fmt::format("{}{}", settings.empty() ? "" : " ", text);
        }
    }
    return settings.empty()
               ? ""
               : fmt::format("; the environment sets {}, which may be the cause", settings);
}

std::string ended_without_rank(const LaunchFacts& facts, int code) {
    if (const char* limit = std::getenv("MPIEXEC_TIMEOUT"); limit && code == ETIMEDOUT) {
        return fmt::format(
            "mpirun ended the job after the {} seconds of MPIEXEC_TIMEOUT; unset it, "
            "or set it higher",
            limit);
    }
    if (facts.started && !facts.printed && facts.notices.empty()) {
        return fmt::format(
            "mpirun (pid {}) ended the ranks, with code {} and without a word, as it "
            "does when somebody else than rrfp sends it a signal",
            facts.pid, code);
    }
    const char* words =
        facts.printed || !facts.notices.empty() ? "and said what stands above" : "without a word";
    return fmt::format(
        "mpirun ({}) ended with code {} {}{}. Look whether mpirun -n 2 hostname works "
        "here",
        facts.mpirun, code, words, open_mpi_settings());
}

}  // namespace

LaunchVerdict judge_end(const LaunchFacts& facts) {
    if (WIFSIGNALED(facts.status)) {
        return {.exit_code = failed,
                .message = fmt::format("mpirun (pid {}) was ended by {}, and its ranks with it",
                                       facts.pid, signal_text(WTERMSIG(facts.status))),
                .quoted = ""};
    }
    const int code = WEXITSTATUS(facts.status);
    if (code == 0) return {};
    if (facts.rank) {
        // Exit codes of our own come with a message of our own.
        const bool own = facts.rank->signal == 0 &&
                         (facts.rank->exit_code == failed || facts.rank->exit_code == bad_input);
        const bool refused = own && facts.rank->exit_code == bad_input;
        return {.exit_code = refused ? bad_input : failed,
                .message = own && facts.told ? "" : text_of(*facts.rank, facts.sign),
                .quoted = ""};
    }
    if (facts.told && any_contains(facts.notices, "MPI_ABORT was invoked")) {
        return {.exit_code = failed, .message = "", .quoted = ""};
    }
    return {.exit_code = failed,
            .message = ended_without_rank(facts, code),
            .quoted = join(facts.notices)};
}

}  // namespace rrfp
