#include "adapters/plan/file_identity.h"

#include <fmt/format.h>

#include "adapters/files/sha256.h"
#include "runtime/system/regular_file.h"

namespace rrfp {

FileIdentity identity_of(std::string_view content) {
    return {.bytes = static_cast<std::int64_t>(content.size()),
            .sha256 = sha256_hex(content.data(), content.size())};
}

FileIdentity identity_of_file(const std::string& path) {
    constexpr FileKind any{.remedy = "give the path of a file", .most_bytes = 1 << 30};
    return identity_of(read_file(path, any));
}

std::string to_text(const FileIdentity& identity) {
    return fmt::format("{} bytes, SHA-256 {}", identity.bytes,
                       identity.known() ? identity.sha256 : "not taken");
}

}  // namespace rrfp
