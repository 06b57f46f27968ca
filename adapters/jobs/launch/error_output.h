#pragma once

#include <string>
#include <string_view>

namespace rrfp {

/// Standard error, written to only when it takes something: a launcher that waited for whoever
/// reads it (a pager, a full pipe) could neither end its job nor obey a signal.
class ErrorOutput {
  public:
    /// Writes `text`, or keeps what is not taken now.
    void write(std::string_view text);
    /// The same as a line of our own.
    void say(const std::string& message) { write("rrfp: " + message + "\n"); }
    /// Writes what was kept, as far as it is taken now. What nobody can ever read is dropped.
    void flush();

    bool waits() const { return !kept_.empty(); }
    /// Nothing more should come for now.
    bool full() const { return kept_.size() > most_kept; }

  private:
    static constexpr std::size_t most_kept = 1 << 20;

    std::string kept_;
};

}  // namespace rrfp
