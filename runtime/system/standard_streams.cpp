#include "runtime/system/standard_streams.h"

#include <cerrno>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

namespace rrfp {

void open_closed_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest free number, which is this one. Without /dev/null there is nothing to be done.
        if (open("/dev/null", O_RDWR) < 0) return;
    }
}

}  // namespace rrfp
