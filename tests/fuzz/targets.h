#pragma once

#include <string_view>

namespace rrfp::fuzz {

// The readers of foreign bytes. Each takes any input: it reads it, or refuses it with the reader's
// own exception. Another exception, a sanitizer's finding, and more time or memory than the runner
// allows are faults.

/// A job file; what follows a line that begins with `--set ` is an override.
void job_file(std::string_view input);
/// A schedule CSV, checked as `rrfp schedule --check` does.
void schedule_csv(std::string_view input);
/// A durations CSV of an iteration of three stages.
void durations_csv(std::string_view input);
/// A file of the safetensors format.
void safetensors(std::string_view input);
/// The manifest of a checkpoint.
void manifest(std::string_view input);
/// A message between ranks; a failure as well as tensors.
void parcel(std::string_view input);

}  // namespace rrfp::fuzz
