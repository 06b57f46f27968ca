// Loaded by LD_PRELOAD into the ranks of a job: holds each of them at a place that a test has
// chosen, so that a fault can be injected just there.
//
//   HOLD_AT   start: before MPI_Init_thread; between: when progress was printed;
//             checkpoint: in fsync; shutdown: before MPI_Finalize
//   HOLD_FOR  seconds that they are held at most
//   HOLD_THEN the code that the last rank exits with then
//   HOLD_SIGN a folder: rank R makes the file R there when it is held, and goes on at once when there
//             is a file "go"

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void hold(const char* place) {
    static int held = 0;
    const char* at = getenv("HOLD_AT");
    const char* rank = getenv("OMPI_COMM_WORLD_RANK");
    const char* folder = getenv("HOLD_SIGN");
    const char* longest = getenv("HOLD_FOR");
    if (!at || strcmp(at, place) != 0 || !rank || !folder || !longest || held) return;
    held = 1;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, rank);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    snprintf(path, sizeof path, "%s/go", folder);
    const struct timespec nap = {0, 20000000};
    for (int naps = atoi(longest) * 50; naps > 0 && access(path, F_OK) != 0; --naps) {
        nanosleep(&nap, NULL);
    }
    const char* size = getenv("OMPI_COMM_WORLD_SIZE");
    if (getenv("HOLD_THEN") && atoi(rank) == atoi(size) - 1) exit(atoi(getenv("HOLD_THEN")));
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    hold("start");
    return PMPI_Init_thread(argc, argv, required, provided);
}

int MPI_Finalize(void) {
    hold("shutdown");
    return PMPI_Finalize();
}

int fsync(int file) {
    hold("checkpoint");
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    return real(file);
}

int fflush(FILE* stream) {
    int (*real)(FILE*) = (int (*)(FILE*))dlsym(RTLD_NEXT, "fflush");
    const int code = real(stream);
    if (stream == stdout) hold("between");
    return code;
}
