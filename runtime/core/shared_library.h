#pragma once

#include <optional>
#include <string>

namespace rrfp {

/// Why the file at `path` must not be handed to the loader, which would wait at it for ever or end
/// this process: no regular file, or a library that was cut short. Nothing where it may be; what is
/// no library at all the loader itself refuses.
std::optional<std::string> library_fault(const std::string& path);

}  // namespace rrfp
