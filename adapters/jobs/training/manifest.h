#pragma once

#include <optional>
#include <string>

#include "adapters/jobs/training/checkpoint.h"

namespace rrfp {

/// Where the manifest of the checkpoint in `folder` lies.
std::string manifest_path(const std::string& folder);

/// What it says, or none where there is no such file. std::runtime_error naming it where it cannot
/// be read.
std::optional<std::string> read_manifest(const std::string& folder);

/// The checkpoint in `folder` that a manifest's `text` describes, of format 3 or 2.
/// std::runtime_error naming the manifest, and what is wrong with it, where it is none.
Checkpoint parse_manifest(const std::string& text, const std::string& folder);

/// The checkpoint in `folder` that its manifest describes; none where there is no manifest. Throws
/// as the two above.
std::optional<Checkpoint> current_checkpoint(const std::string& folder);

/// The text of a checkpoint's manifest.
std::string manifest_text(const Checkpoint& checkpoint);

/// Whether a folder of one save may be called `name`: `iteration-12`, `iteration-12-2` where the
/// first name was taken, or, of format 2, `iteration-12-again`.
bool is_save_name(const std::string& name);

}  // namespace rrfp
