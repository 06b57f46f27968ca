#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace rrfp {

/// Makes `path` hold `pieces` one after the other, all of it or nothing: they go to a temporary
/// file beside it, to the disk, and then take the name. The file that was there stays until then.
/// std::runtime_error that names path and reason.
void write_durably(const std::string& path, std::span<const std::span<const std::byte>> pieces);
void write_durably(const std::string& path, const std::string& text);

}  // namespace rrfp
