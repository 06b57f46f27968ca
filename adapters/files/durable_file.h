#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace rrfp {

/// Makes `path` hold `pieces` one after the other, all of it or nothing: they go to a new file
/// beside it (new_file.h), to the disk, and then take the name. What was there stays until then; of
/// a link the link itself is replaced. Of several writers the last one to end wins, whole.
/// std::runtime_error that names path and reason.
void write_durably(const std::string& path, std::span<const std::span<const std::byte>> pieces);
void write_durably(const std::string& path, const std::string& text);

}  // namespace rrfp
