#include "runtime/starpu/calls/starpu_prefix.h"

#include <dlfcn.h>
#include <filesystem>
#include <starpu.h>
#include <stdexcept>

namespace rrfp {

std::string starpu_prefix() {
    Dl_info library{};
    if (dladdr(reinterpret_cast<void*>(&starpu_shutdown), &library) == 0 ||
        library.dli_fname == nullptr) {
        throw std::runtime_error("the dynamic loader does not know where StarPU was loaded from");
    }
    std::filesystem::path folder = std::filesystem::canonical(library.dli_fname).parent_path();
    // <prefix>/lib, or <prefix>/lib/<architecture> where a distribution installed it.
    while (folder.has_relative_path() && folder.filename() != "lib") folder = folder.parent_path();
    return folder.parent_path().string();
}

}  // namespace rrfp
