#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace rrfp {

/// What the user asked for cannot run. One message a fault, each with place, value and remedy; the
/// command prints them and exits with 2 before anything has started. Bounded as by `shown`
/// (runtime/core/shown_text.h), whatever the input was.
class BadInput : public std::runtime_error {
  public:
    explicit BadInput(std::vector<std::string> messages);
    explicit BadInput(std::string message);

    const std::vector<std::string>& messages() const { return messages_; }

  private:
    struct Bounded {
        std::vector<std::string> messages;
    };
    explicit BadInput(Bounded bounded);

    std::vector<std::string> messages_;
};

}  // namespace rrfp
