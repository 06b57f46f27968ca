#pragma once

#include <string>

namespace rrfp {

/// The reference of all keys as Markdown: one table a section. docs/job-file.md carries it between
/// its markers, and a test compares the two.
std::string job_keys_markdown();

}  // namespace rrfp
