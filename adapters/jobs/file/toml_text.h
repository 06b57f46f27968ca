#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "adapters/jobs/job/job.h"

namespace rrfp {

// Values as TOML, shortest form that reads back equal.

std::string toml_text(bool value);
std::string toml_text(int value);
std::string toml_text(std::int64_t value);
std::string toml_text(std::uint64_t value);
std::string toml_text(double value);
/// Quoted and escaped.
std::string toml_text(const std::string& value);
/// `(none)` without a value.
std::string toml_text(const std::optional<double>& value);
std::string toml_text(const std::vector<int>& values);
std::string toml_text(const std::vector<double>& values);
/// A list of one prints as its number, as a job file may write it.
std::string toml_text(const WordOrNumbers& value);

}  // namespace rrfp
