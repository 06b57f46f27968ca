#pragma once

#include <optional>
#include <string>

namespace rrfp {

/// Writes `content` to the place that the user named: a reader sees the old file or the whole new
/// one, a link stays a link, and what is no regular file (a pipe, /dev/stdout) is written to as it
/// is, for as long as its reader takes something every 10 s. Throws std::runtime_error with path
/// and reason.
void write_output(const std::string& path, const std::string& content);

/// The file that `write_output` replaces for `path`: where it is a link, what that leads to, be it
/// there or not.
std::string target_of(const std::string& path);

/// Why a file could not be written at `path`, with the remedy; nothing when it can. Tries it with a
/// file beside it, since permissions alone do not say (root, read-only file systems).
std::optional<std::string> why_not_writable_file(const std::string& path);

/// The same for a folder, which is made when it is missing.
std::optional<std::string> why_not_writable_folder(const std::string& path);

}  // namespace rrfp
