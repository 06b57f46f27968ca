#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rrfp {

/// Which bytes a file held when the plan was made.
struct FileIdentity {
    std::int64_t bytes = 0;
    std::string sha256;  ///< lower-case hex; empty = nobody has looked

    bool known() const { return !sha256.empty(); }
    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

FileIdentity identity_of(std::string_view content);
/// Reads the file at `path`, a regular one of at most 1 GiB. Throws std::invalid_argument with
/// path, reason and remedy.
FileIdentity identity_of_file(const std::string& path);

/// `123 bytes, SHA-256 01ab...`
std::string to_text(const FileIdentity& identity);

}  // namespace rrfp
