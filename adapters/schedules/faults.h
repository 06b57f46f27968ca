#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace rrfp {

/// A schedule is no schedule: one message a fault, each with its row, column and remedy; bounded as
/// by `shown` (runtime/core/shown_text.h).
class ScheduleFaults : public std::invalid_argument {
  public:
    explicit ScheduleFaults(std::vector<std::string> messages);

    const std::vector<std::string>& messages() const { return messages_; }

  private:
    struct Bounded {
        std::vector<std::string> messages;
    };
    explicit ScheduleFaults(Bounded bounded);

    std::vector<std::string> messages_;
};

}  // namespace rrfp
