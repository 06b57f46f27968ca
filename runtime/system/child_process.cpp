#include "runtime/system/child_process.h"

#include <signal.h>
#include <spawn.h>
#include <stdexcept>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "runtime/system/child_end.h"
#include "runtime/system/descriptor.h"

extern char** environ;

namespace rrfp {
namespace {

void check(int error, const std::string& call) {
    if (error != 0) throw std::runtime_error(call + ": " + strerror(error));
}

/// Standard output and standard error go to one descriptor.
class SpawnFiles {
  public:
    explicit SpawnFiles(int output) {
        check(posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init");
        check(posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO),
              "posix_spawn_file_actions_adddup2");
        check(posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO),
              "posix_spawn_file_actions_adddup2");
    }
    ~SpawnFiles() { posix_spawn_file_actions_destroy(&actions_); }
    SpawnFiles(const SpawnFiles&) = delete;
    SpawnFiles& operator=(const SpawnFiles&) = delete;

    const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

/// A process group of its own, and signals as a program expects them.
class SpawnAttributes {
  public:
    SpawnAttributes() {
        check(posix_spawnattr_init(&attributes_), "posix_spawnattr_init");
        sigset_t none;
        sigemptyset(&none);
        check(posix_spawnattr_setsigmask(&attributes_, &none), "posix_spawnattr_setsigmask");
        sigset_t usual;
        sigemptyset(&usual);
        for (const int signal : {SIGCHLD, SIGPIPE}) sigaddset(&usual, signal);
        check(posix_spawnattr_setsigdefault(&attributes_, &usual), "posix_spawnattr_setsigdefault");
        check(
            posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                       POSIX_SPAWN_SETSIGDEF),
            "posix_spawnattr_setflags");
    }
    ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
    SpawnAttributes(const SpawnAttributes&) = delete;
    SpawnAttributes& operator=(const SpawnAttributes&) = delete;

    const posix_spawnattr_t* get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_{};
};

pid_t start(const std::vector<std::string>& command, int output) {
    std::vector<char*> argv;
    for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const SpawnFiles files(output);
    const SpawnAttributes attributes;
    pid_t child = 0;
    check(posix_spawnp(&child, argv[0], files.get(), attributes.get(), argv.data(), environ),
          command.front());
    return child;
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& command, double longest_s) {
    Pipe pipe = make_pipe();
    const pid_t child = start(command, pipe.write_end.number());
    pipe.write_end.close();
    ChildEnd end = wait_for_end(child, Reach::group, pipe.read_end, longest_s);
    const int status = end.status;
    return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            .output = std::move(end.output),
            .ran_late = end.ran_late};
}

}  // namespace rrfp
