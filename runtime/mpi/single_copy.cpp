#include "runtime/mpi/single_copy.h"

#include <array>
#include <mpi.h>
#include <string>

namespace rrfp {
namespace {

/// The name of the value that the enumerated control variable `name` has now; empty if it has none.
std::string value_of(const char* name) {
    int index = 0;
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return {};
    std::array<char, 256> text{};
    int name_length = 0;
    int text_length = static_cast<int>(text.size());
    int verbosity = 0;
    int binding = 0;
    int scope = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum words = MPI_T_ENUM_NULL;
    if (MPI_T_cvar_get_info(index, nullptr, &name_length, &verbosity, &type, &words, text.data(),
                            &text_length, &binding, &scope) != MPI_SUCCESS ||
        words == MPI_T_ENUM_NULL) {
        return {};
    }
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) return {};
    int value = -1;
    const bool read = count == 1 && MPI_T_cvar_read(handle, &value) == MPI_SUCCESS;
    MPI_T_cvar_handle_free(&handle);

    int items = 0;
    if (!read || MPI_T_enum_get_info(words, &items, nullptr, &name_length) != MPI_SUCCESS)
        return {};
    for (int item = 0; item < items; ++item) {
        int item_value = 0;
        text_length = static_cast<int>(text.size());
        if (MPI_T_enum_get_item(words, item, &item_value, text.data(), &text_length) ==
                MPI_SUCCESS &&
            item_value == value) {
            return text.data();
        }
    }
    return {};
}

}  // namespace

bool mpi_copies_once() {
    // The level that MPI was initialised with: Open MPI takes this one over for all of MPI.
    int level = MPI_THREAD_SINGLE;
    if (MPI_Query_thread(&level) != MPI_SUCCESS ||
        MPI_T_init_thread(level, &level) != MPI_SUCCESS) {
        return false;
    }
    const std::string mechanism = value_of("btl_vader_single_copy_mechanism");
    MPI_T_finalize();
    return mechanism == "cma" || mechanism == "xpmem" || mechanism == "knem";
}

}  // namespace rrfp
