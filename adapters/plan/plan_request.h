#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "adapters/plan/file_identity.h"
#include "adapters/plan/words.h"
#include "runtime/core/jitter.h"

namespace rrfp {

/// What a front end asks for: sizes, and the words of `[schedule]` as the user gave them.
struct PlanRequest {
    int pipeline_ranks = 1;
    int data_ranks = 1;
    int tensor_ranks = 1;
    int chunks = 1;                    ///< stages a rank; a listed placement has its own
    WordOrNumbers placement = "loop";  ///< a word, or the rank of each stage
    int microbatches = 1;
    bool forward_only = false;

    std::string arbiter;       ///< empty = the default, see `resolve_options`
    bool own_arbiter = false;  ///< the front end brings it, a function
    std::string hint;          ///< a schedule's name or a CSV file; empty = `default_hint`
    WordOrNumbers limit = std::vector{32};
    bool limit_given = true;         ///< otherwise the default, for `fixed` its list's own peaks
    std::string admission = "auto";  ///< a rule, or `auto` for the default
    bool split_weight = false;
    bool deterministic = false;
    std::string agreement = "board";
    std::string agreement_scope = "tensor";
    std::string plugin;  ///< path; empty = none

    Jitter jitter{};
    std::uint64_t seed = 0;
    /// About how many bytes one microbatch in flight keeps at a pipeline rank; limits in bytes need
    /// it.
    std::function<std::int64_t(int rank)> kept_bytes{};
    /// The text that is trained on, where there is one.
    std::optional<FileIdentity> text{};
};

}  // namespace rrfp
