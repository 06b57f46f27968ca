#pragma once

#include <optional>
#include <string>

namespace rrfp {

/// Why one process of this user may not read another's memory here, as the ranks of a node do to
/// move a large message in one copy; empty where it may. Tried between a child and this process.
/// Call it while this process has one thread.
std::optional<std::string> why_no_reading_of_processes();

/// The same tried on the parent, without a child: for a rank, whose parent is the launcher of all.
bool may_read_parent();

}  // namespace rrfp
