#pragma once

#include <map>
#include <optional>
#include <string>

namespace rrfp {

/// What keeps `path` from being the file of a checkpoint whose header has the notes `expected`: not
/// there, not whole, or another's, with what was expected and what was found. Reads the header
/// alone.
std::optional<std::string> rank_file_fault(const std::string& path,
                                           const std::map<std::string, std::string>& expected);

}  // namespace rrfp
