#pragma once

#include <string_view>

namespace rrfp {

/// Throws std::runtime_error that names `call`, the code and MPI's text unless `code` is
/// MPI_SUCCESS. `remedy` ends the message when there is one.
void check_mpi(int code, std::string_view call, std::string_view remedy = {});

}  // namespace rrfp
