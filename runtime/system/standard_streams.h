#pragma once

namespace rrfp {

/// Opens /dev/null for each of standard input, output and error that this process was started
/// without. A file opened later would take the number, and what is printed would go into it.
void open_closed_streams();

}  // namespace rrfp
