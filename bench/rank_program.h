#pragma once

#include <exception>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runtime/starpu/runtime.h"

namespace rrfp {

/// The whole of a benchmark that runs on `ranks` ranks: measures on each, and rank 0 prints what it
/// measured as one JSON object. Ends the job with 2 for another number of ranks, with 1 where
/// `measure` throws. Returns the exit status.
inline int rank_program(const char* name, int ranks,
                        const std::function<nlohmann::json(Runtime&)>& measure) {
    try {
        Runtime runtime(RuntimeOptions{});
        if (runtime.ranks() != ranks) {
            runtime.abort(2, fmt::format("{} needs {} ranks, not {}: start it with mpirun -n {}",
                                         name, ranks, runtime.ranks(), ranks));
        }
        try {
            const nlohmann::json result = measure(runtime);
            if (runtime.rank() == 0) fmt::print("{}\n", result.dump());
        } catch (const std::exception& error) {
            runtime.abort(1, error.what());
        }
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return 1;
    }
}

}  // namespace rrfp
