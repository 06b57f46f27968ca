#pragma once

namespace rrfp {

/// Makes sure of the memory through which MPI sends this rank's messages to its node: Open MPI maps
/// a file of some MiB in /dev/shm, whose pages come when they are first used, and a file system
/// that is full by then ends the rank with SIGBUS. Where there is no room for all of it, the first
/// part, which is used most, must do. Does nothing where MPI has no such file.
///
/// MPI must be initialised. Throws std::runtime_error with the file, the bytes and the remedy.
void reserve_message_memory(int rank);

}  // namespace rrfp
