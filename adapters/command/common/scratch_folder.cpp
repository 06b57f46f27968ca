#include "adapters/command/common/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace rrfp {

ScratchFolder::ScratchFolder()
    : path_((std::filesystem::temp_directory_path() / "rrfp-XXXXXX").string()) {
    if (!mkdtemp(path_.data())) throw std::runtime_error(path_ + ": " + std::strerror(errno));
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;  // what stays behind is in the folder for temporary files
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace rrfp
