#pragma once

#include <functional>
#include <string>

namespace rrfp {

struct TrialResult {
    bool succeeded = false;
    std::string text;  ///< what the trial returned, or why it failed
};

/// Runs `trial` in a forked child, so that whatever it does to its process is gone afterwards. It
/// fails when it throws, when a signal ends it, or when it takes longer than `seconds`. Call it
/// while this process has one thread.
TrialResult try_in_child(const std::function<std::string()>& trial, unsigned seconds);

}  // namespace rrfp
