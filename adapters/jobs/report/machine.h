#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace rrfp {

/// The machine that a figure was measured on.
struct Machine {
    std::string host;
    std::string cpu;     ///< model name, as the kernel gives it
    int cores = 0;       ///< that this process may use
    std::string kernel;  ///< name and release
    std::int64_t memory_bytes = 0;
};

/// Facts the system does not give are empty or 0.
Machine this_machine();
nlohmann::json to_json(const Machine& machine);

}  // namespace rrfp
