#include "runtime/mpi/mpi_call.h"

#include <mpi.h>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace rrfp {

void check_mpi(int code, std::string_view call, std::string_view remedy) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
    throw std::runtime_error(fmt::format("{} failed with code {}: {}{}{}", call, code,
                                         std::string_view(text, static_cast<std::size_t>(length)),
                                         remedy.empty() ? "" : ". ", remedy));
}

}  // namespace rrfp
