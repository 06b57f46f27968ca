#include "adapters/jobs/file/job_markdown.h"

#include <fmt/format.h>

#include "adapters/jobs/file/job_keys.h"
#include "adapters/jobs/file/key_text.h"

namespace rrfp {
namespace {

std::string row(const JobKey& key) {
    const std::string unit = key.unit.empty() ? "" : fmt::format(" ({})", key.unit);
    const std::string value = value_text(key, Job{});
    return fmt::format("| `{}` | {}{} | `{}` | {} |\n", key.name, expected_value(key), unit, value,
                       key.doc);
}

}  // namespace

std::string job_keys_markdown() {
    std::string text;
    std::string_view section;
    for (const JobKey& key : job_keys()) {
        if (key.section != section) {
            section = key.section;
            text += fmt::format("{}### `[{}]`\n\n| key | value | default | meaning |\n",
                                text.empty() ? "" : "\n", section);
            text += "|---|---|---|---|\n";
        }
        text += row(key);
    }
    return text;
}

}  // namespace rrfp
