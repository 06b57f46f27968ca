#pragma once

#include <string>

#include "runtime/system/regular_file.h"

namespace rrfp {

/// What a file holds that may also come through a pipe, and can then be read once only.
struct PipedText {
    std::string text;
    bool from_pipe = false;
};

/// As `read_file`, or all that comes through a pipe (`<(command)`, /dev/stdin, a FIFO) until its
/// last writer closes it. Throws FileFault; where nothing comes for `patience_ms` too, for a pipe
/// that nobody writes to would be waited for without end.
PipedText read_file_or_pipe(const std::string& path, const FileKind& kind,
                            int patience_ms = 10'000);

}  // namespace rrfp
