#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "adapters/jobs/file/job_file.h"
#include "adapters/jobs/job/job_plan.h"

namespace rrfp::testing {

inline constexpr auto synthetic =
    "[model]\nkind = 'synthetic'\nforward_ms = 10\nbackward_ms = 20\n"
    "[parallel]\npipeline = 4\n";

inline Job job_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return load_job({.path = "/jobs/demo.toml", .text = text}, overrides).job;
}

/// The numbers of a key that may also hold a word.
inline std::vector<int> numbers(const WordOrNumbers& value) {
    const auto* list = std::get_if<std::vector<int>>(&value);
    return list ? *list : std::vector<int>{};
}

/// What refusing `text` says, one line a fault; a failed test when it is accepted.
inline std::string refusal(const std::string& text,
                           const std::vector<std::string>& overrides = {}) {
    try {
        job_of(text, overrides);
    } catch (const BadInput& error) {
        return error.what();
    }
    ADD_FAILURE() << "accepted:\n" << text;
    return {};
}

}  // namespace rrfp::testing
