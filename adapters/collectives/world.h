#pragma once

#include <span>
#include <string>
#include <vector>

namespace rrfp {

/// Collectives over all ranks of the job for the moments between iterations. They neither spin nor
/// block inside MPI: a rank that arrives early sleeps. Every rank must call them in one order. An
/// MPI error is a std::runtime_error that names the call.

/// The `values` of every rank, one row a rank in rank order; all ranks pass equally many.
std::vector<std::vector<double>> all_gather(std::span<const double> values);

/// The `text` of every rank in rank order, on all ranks.
std::vector<std::string> all_gather(const std::string& text);

/// The `text` of rank 0, on all ranks.
std::string broadcast(std::string text);

/// On rank 0 the `text` of every rank in rank order; empty elsewhere.
std::vector<std::string> gather(const std::string& text);

}  // namespace rrfp
