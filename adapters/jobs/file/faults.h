#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "adapters/jobs/file/origins.h"
#include "adapters/jobs/job/job.h"

namespace rrfp {

/// What is wrong with a job: one message a fault, each with the key, its value and its place.
class Faults {
  public:
    /// `job` and `origins` must outlive this object.
    Faults(const Job& job, const Origins& origins) : job_(job), origins_(origins) {}

    /// `what` says why the value of `key` cannot stand, and the remedy.
    template <class... Values>
    void add(const std::string& key, fmt::format_string<Values...> what, Values&&... values) {
        messages_.push_back(
            origins_.fault(key, job_, fmt::format(what, std::forward<Values>(values)...)));
    }

    bool empty() const { return messages_.empty(); }
    /// In the order found; the caller may put others before them or take them away.
    std::vector<std::string>& messages() { return messages_; }

  private:
    const Job& job_;
    const Origins& origins_;
    std::vector<std::string> messages_;
};

}  // namespace rrfp
