#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "runtime/simulation/durations.h"

namespace rrfp {

/// Realised durations as a table: rows `kind,stage,microbatch,ms`, in any order, after an optional
/// line with just these names; blanks around a cell and a leading UTF-8 byte order mark are
/// skipped. Kinds F, B and W are tasks; with a split backward, B is the input gradient. SEND_F and
/// SEND_B are messages towards the next and the previous stage, from the end of the producer until
/// its consumer can run.
///
/// Each task, and each message that crosses ranks, has exactly one row; a table without a single
/// SEND row is whole too: its messages take no time. Rows for the last stage's SEND_F, stage 0's
/// SEND_B and hops inside a rank are accepted and ignored. Throws std::invalid_argument with
/// `source`, which stands for the file's name, line, the value at fault and the remedy.
Durations parse_durations_csv(const Pipeline& pipeline, std::string_view text,
                              const std::string& source);

/// Writes what `parse_durations_csv` reads; each time with the digits that give back the same
/// number.
void write_durations_csv(const Pipeline& pipeline, const Durations& durations, std::ostream& out);

}  // namespace rrfp
