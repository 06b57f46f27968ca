#include "runtime/system/child_process.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdexcept>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

extern char** environ;

namespace rrfp {
namespace {

void check(int error, const char* call) {
    if (error != 0) throw std::runtime_error(std::string(call) + ": " + strerror(error));
}

pid_t start(const std::vector<std::string>& command, int output) {
    std::vector<char*> argv;
    for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    check(posix_spawn_file_actions_init(&files), "posix_spawn_file_actions_init");
    check(posix_spawnattr_init(&attributes), "posix_spawnattr_init");
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t child = 0;
    const int error = posix_spawnp(&child, argv[0], &files, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    check(error, argv[0]);
    return child;
}

std::string read_all(int file) {
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t size = read(file, buffer, sizeof buffer);
        if (size > 0) text.append(buffer, static_cast<std::size_t>(size));
        if (size == 0 || (size < 0 && errno != EINTR)) return text;
    }
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& command) {
    int ends[2];
    check(pipe(ends) == 0 ? 0 : errno, "pipe");
    const pid_t child = start(command, ends[1]);
    close(ends[1]);
    ProgramResult result;
    result.output = read_all(ends[0]);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    kill(-child, SIGKILL);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

}  // namespace rrfp
