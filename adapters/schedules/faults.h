#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace rrfp {

/// A schedule is no schedule: one message a fault, each with its row, column and remedy.
class ScheduleFaults : public std::invalid_argument {
  public:
    explicit ScheduleFaults(std::vector<std::string> messages);

    const std::vector<std::string>& messages() const { return messages_; }

  private:
    std::vector<std::string> messages_;
};

}  // namespace rrfp
