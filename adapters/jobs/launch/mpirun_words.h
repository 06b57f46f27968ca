#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rrfp {

/// Tells what mpirun says of a job's end apart from what else comes on its standard error: texts of
/// ranks, and other notices of Open MPI, go on as they come. Knows Open MPI 4.
class MpirunWords {
  public:
    using Pass = std::function<void(std::string_view)>;

    /// `pass` gets what is to be shown.
    explicit MpirunWords(Pass pass) : pass_(std::move(pass)) {}

    void take(std::string_view bytes);
    /// Nothing more will come.
    void finish();

    /// The notices that were held back, whole, in their order.
    const std::vector<std::string>& held() const { return held_; }
    /// Whether something was shown, and whether a line of it is one of our own messages.
    bool passed() const { return passed_; }
    bool passed_message() const { return passed_message_; }

  private:
    void take_line(const std::string& line);
    void end_notice();
    void show(std::string_view text);

    Pass pass_;
    std::string line_;         ///< the beginning of one, not shown yet
    bool line_shown_ = false;  ///< its beginning was
    bool in_notice_ = false;
    std::string notice_;  ///< between lines of dashes
    std::vector<std::string> held_;
    bool passed_ = false;
    bool passed_message_ = false;
};

}  // namespace rrfp
