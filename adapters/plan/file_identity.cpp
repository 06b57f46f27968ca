#include "adapters/plan/file_identity.h"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "adapters/files/sha256.h"

namespace rrfp {

FileIdentity identity_of(std::string_view content) {
    return {.bytes = static_cast<std::int64_t>(content.size()),
            .sha256 = sha256_hex(content.data(), content.size())};
}

FileIdentity identity_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    if (file) content << file.rdbuf();
    if (!file || file.bad()) {
        throw std::invalid_argument(fmt::format("{}: cannot be read: {}; give the path of a file",
                                                path, std::generic_category().message(errno)));
    }
    return identity_of(content.view());
}

std::string to_text(const FileIdentity& identity) {
    return fmt::format("{} bytes, SHA-256 {}", identity.bytes,
                       identity.known() ? identity.sha256 : "not taken");
}

}  // namespace rrfp
